"""Three hundred notes of a software team, made from templates, and questions about them or not."""

from collections.abc import Iterator

from bench.stream import Stream

COMPONENTS = (
    "billing service", "search gateway", "image resizer", "session store", "audit log",
    "mail relay", "feature flags", "metrics collector", "release pipeline", "staging cluster",
    "public website", "mobile client", "report exporter", "webhook sender", "rate limiter",
    "identity provider", "backup job", "schema registry", "notification hub", "price calculator",
    "invoice renderer", "upload endpoint", "thumbnail cache", "customer portal", "load balancer",
    "document converter", "job scheduler", "translation files", "payment adapter", "admin console",
)  # fmt: skip
# Title and body; {c} is the component, {o} another, {n} a number, {p} a person, {d} a day.
TEMPLATES = """
Configure the {c}
The server config of the {c} lives in config/{s}.toml. Set the port to {n} and restart; a reload
does not pick up new keys.

Deploy the {c}
Merge to main, wait for the pipeline, then promote the image of the {c}. Roll back with the
previous tag if errors rise above {n} a minute.

{C} timeouts
Requests to the {c} time out after {n} ms. The {o} retries three times with backoff before it
gives up.

Decision: storage of the {c}
We decided on {d} that the {c} keeps its rows in Postgres and not in Redis, because losing {n}
seconds of writes is not acceptable.

Incident in the {c}
On {d} the {c} ran out of memory while the {o} was replaying its queue. {p} raised the limit to
{n} MB and added an alert.

Credentials of the {c}
The {c} reads its signing key from the vault. Keys rotate every {n} days; {p} holds the emergency
copy.

Tests of the {c}
The integration tests of the {c} need a local broker and take {n} seconds. Run them with make
integration before a merge.

Logging in the {c}
Log lines of the {c} are JSON with a request id. Debug level is switched on per tenant and expires
after {n} minutes.

Known bug in the {c}
When two writers update the same record, the {c} drops the second change. {p} is working on
optimistic locking; the ticket has number {n}.

Ownership of the {c}
The {c} belongs to the platform team; ask {p} first. Its on-call rota changes on {d} and is shared
with the {o}.
""".strip().split("\n\n")
PEOPLE = ("Amira", "Bjarne", "Chloé", "Dmitri", "Esra", "Farid", "Greta", "Hiro")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")

ON_TOPIC = (
    ("where is the config file of the billing service", "billing-service-0"),
    ("how do I deploy the search gateway", "search-gateway-1"),
    ("timeout of requests to the image resizer", "image-resizer-2"),
    ("does the session store keep rows in Postgres or Redis", "session-store-3"),
    ("audit log out of memory incident", "audit-log-4"),
    ("signing key rotation mail relay", "mail-relay-5"),
    ("integration tests of the feature flags", "feature-flags-6"),
    ("debug level logging in the metrics collector", "metrics-collector-7"),
    ("bug in the release pipeline when two writers update the same record", "release-pipeline-8"),
    ("ownership of the staging cluster", "staging-cluster-9"),
    ("public website server port", "public-website-0"),
    ("roll back the mobile client", "mobile-client-1"),
    ("report exporter timeouts", "report-exporter-2"),
    ("why did we decide on Postgres for the webhook sender", "webhook-sender-3"),
    ("rate limiter memory limit alert", "rate-limiter-4"),
    ("where does the identity provider read its signing key", "identity-provider-5"),
    ("run the integration tests of the backup job", "backup-job-6"),
    ("schema registry log lines JSON request id", "schema-registry-7"),
    ("notification hub drops the second change", "notification-hub-8"),
    ("on-call rota of the price calculator", "price-calculator-9"),
)
# Several share a word with the notes: key, memory, port, server, cluster, client, release, limit.
OFF_TOPIC = (
    "key lime pie recipe with graham crackers",
    "how long does bread dough have to rest",
    "what temperature should a roast chicken reach inside",
    "who won the football world cup in 1998",
    "how many players are in a volleyball team",
    "rules for a tennis server at match point",
    "which planet of the solar system has the most moons",
    "how far away is the Pleiades star cluster",
    "when is the next total eclipse of the sun",
    "what are the symptoms of a vitamin D deficiency",
    "does aspirin thin the blood before surgery",
    "how is short term memory affected by sleep apnea",
    "can my landlord keep the deposit after I moved out",
    "attorney client privilege in a divorce case",
    "statute of limitations for medical malpractice",
    "best port wine to drink with blue cheese",
    "when did the Beatles release Abbey Road",
    "how do I prune roses in early spring",
    "speed limit on a German autobahn for caravans",
    "mirror image twins and left handedness",
)


def software_notes() -> Iterator[tuple[str, str]]:
    """Yield docid and text, title first, of every component in every template: 300 notes."""
    stream = Stream(11, "software notes")
    for component in COMPONENTS:
        for number, template in enumerate(TEMPLATES):
            slug = component.replace(" ", "-")
            facts = {
                "c": component,
                "C": component.capitalize(),
                "s": slug,
                "o": stream.choice([other for other in COMPONENTS if other != component]),
                "n": 10 + stream.below(9_000),
                "p": stream.choice(PEOPLE),
                "d": stream.choice(DAYS),
            }
            yield f"{slug}-{number}", template.format(**facts)
