"""Queries with odd punctuation, identifiers, accents and scripts find the right note first."""

import unicodedata
from collections.abc import Callable, Mapping
from typing import Literal

import pytest

from kbdb import KnowledgeBase

MakeBase = Callable[[Mapping[str, str]], KnowledgeBase]


def wide(text: str) -> str:
    """Return the full-width forms of ASCII letters and digits."""
    return "".join(chr(ord(letter) + 0xFEE0) for letter in text)


NOTES = {
    # identifiers and punctuation, each among notes that share some of its words
    "cpp": "Building the native part\nThe C++ compiler needs the flag for exceptions.",
    "plain-c": "Building the C part\nThe C compiler needs the flag for warnings.",
    "c-sharp": "Building the C# part\nThe C# compiler needs the flag for nullable types.",
    "plan-c": "Plan C\nIf plan A and plan B fail, building goes on with plan C.",
    "vitamin-c": "Canteen\nVitamin C is in the oranges beside the compiler team.",
    "ts-38101": "Transmitter limits\nTS 38.101 gives the maximum output power of the terminal.",
    "ts-38104": "Base limits\nTS 38.104 gives the maximum output power of a base station.",
    "release-38": "Release 38\nRelease 38 gives 101 fixes and a new terminal.",
    "room-101": "Room 101\nThe terminal in room 101 was moved 38 times.",
    "version-10138": "Build 101.38\nBuild 101.38 of the terminal is broken.",
    "parser-ts": "Tokens\nQuoted strings are cut in src/utils/parser.ts before the lexer runs.",
    "logger-ts": "Log lines\nThe format is set in src/utils/logger.ts and nowhere else.",
    "parser-index": "Exports\nsrc/parser/index.ts exports the lexer and the parser.",
    "parser-py": "Old tool\nThe script utils/parser.py cuts strings and is not used any more.",
    "utils-readme": "Utilities\nWhat is in src and utils, and why the ts files are strict.",
    "quote-dont": 'Style\nPlease don\'t "quote" a whole message when you answer it.',
    "quote-stock": "Prices\nThe stock quote is fetched every minute and cached.",
    "dont-push": "Branches\nDon't push to the main branch; open a request.",
    "quote-shell": "Shell\nQuote variables in shell scripts or file names will split.",
    "todo-fix": "Uploads\nTODO: fix the flaky upload test before the release.",
    "todo-list": "Week plan\nThe todo list of the week is on the wall.",
    "fix-login": "Login\nA fix for the login loop went out on Monday.",
    "fix-release": "Release\nA release has a number and a date; fix both in the calendar.",
    "no-worker": "In process\nWith --no-worker the command runs in process and takes the lock.",
    "no-color": "Colours\nWith --no-color the command prints plain text.",
    "worker-pool": "Pool\nThe worker pool has four threads; no worker may block.",
    "get-user-name": "Greeting\nThe page calls getUserName to greet whoever is signed in.",
    "get-user-mail": "Letters\nThe page calls getUserMail to fill in the address.",
    "get-team-name": "Teams\nThe page calls getTeamName for the title of the list.",
    "user-interface": "Interface\nThe user sees a name field on the page.",
    "user-set-name": "Settings\nsetUserName changes what a user is called on the page.",
    "openai-key": "Keys\nSet OPENAI_API_KEY in the environment before you start the agent.",
    "openai-url": "Addresses\nSet OPENAI_BASE_URL in the environment to use another server.",
    "other-key": "More keys\nSet WEATHER_API_KEY in the environment before the forecast runs.",
    "api-limits": "Limits\nThe API allows ten calls a second; the key does not matter.",
    # scripts without spaces
    "zh-pool": "数据库配置\n数据库连接池大小设置为20,重启后生效。",
    "zh-timeout": "网络配置\n连接超时设置为30秒,重启后生效。",
    "zh-threads": "线程配置\n线程池大小设置为8,重启后生效。",
    "zh-backup": "备份\n数据库每天凌晨备份一次。",
    "zh-itgc": "引用检查\n重跑gen-itgc后悬空引用清零",
    "zh-rerun": "测试\n重跑测试后引用检查通过",
    "zh-gen": "文档\n重跑gen-docs后文档更新",
    "ja-sandbox": "実行環境\nコードはサンドボックスの中でだけ実行する。",
    "ja-box": "箱\nボックスの大きさを測って実行する。",
    "ja-bread": "昼食\nサンドイッチは食堂の中でだけ買える。",
    "ja-kyoto": "出張\n来週は京都へ行く。",
    "ja-osaka": "会議\n来週は大阪へ行く。",
    "ko-database": "백업\n데이터베이스를 매일 새벽에 백업한다.",
    "ko-data": "형식\n데이터는 매일 새벽에 변환한다.",
    "ko-base": "기지\n베이스 캠프는 매일 새벽에 연다.",
    # accents, compatibility forms
    "cafe": "Meeting point\nThe team meets at the café on the ground floor.",
    "floor": "Ground floor\nThe team meets at the desk on the ground floor.",
    "zurich": "Offices\nThe second office of the team is in Zürich near the lake.",
    "geneva": "Other offices\nThe third office of the team is in Geneva near the lake.",
    "naive": "Sorting\nA naïve sort of the names is too slow for the list.",
    "sort": "Sorting again\nA stable sort of the names is fast enough for the list.",
    "angstrom": "Units\nThe distance is given in Ångström, never in metres.",
    "metre": "Units again\nThe height is given in metres, never in feet.",
    "fullwidth": f"Forms\nThe form takes {wide('FULLWIDTH')} letters and {wide('12345')} as well.",
    "forms": "Forms again\nThe form takes capital letters and digits as well.",
    # phrases
    "phrase": "Connections\nThe size of the connection pool is set when the server starts.",
    "no-phrase": "Pool connection pool\nPool the connection: a pool, a connection, a pool again.",
}


@pytest.fixture(scope="module")
def base(learned_base: MakeBase) -> KnowledgeBase:
    return learned_base(NOTES)


def first(base: KnowledgeBase, query: str) -> str:
    hits = base.search(query).hits
    return hits[0].docid if hits else "nothing"


@pytest.mark.parametrize(
    ("query", "docid"),
    [
        ("C++", "cpp"),
        ("c++ compiler", "cpp"),
        ("C#", "c-sharp"),
        ("38.101", "ts-38101"),
        ("TS 38.101", "ts-38101"),
        ("src/utils/parser.ts", "parser-ts"),
        ("utils/parser.ts", "parser-ts"),
        ("parser.ts", "parser-ts"),
        ("don't \"quote", "quote-dont"),
        ("don\u2019t \u201cquote", "quote-dont"),
        ("TODO: fix", "todo-fix"),
        ("--no-worker", "no-worker"),
        ("no-worker", "no-worker"),
    ],
)
def test_punctuation_is_read_as_part_of_the_word(
    base: KnowledgeBase, query: str, docid: str
) -> None:
    assert first(base, query) == docid


@pytest.mark.parametrize(
    "query",
    [
        "",
        " \n\t",
        "()*^~",
        '""',
        '"',
        "AND OR NOT",
        "\x00",
        "\ud800",
        "**",
        "-",
        "*:*",
        "a" * 5_000,
    ],
)
def test_odd_input_is_answered_without_an_error(base: KnowledgeBase, query: str) -> None:
    base.search(query)


@pytest.mark.parametrize("query", ["", "()*^~", "   "])
def test_query_without_words_is_unanswered(base: KnowledgeBase, query: str) -> None:
    result = base.search(query)

    assert result.hits == ()
    assert result.verdict == "unanswered"


def test_ten_kilobytes_of_a_notes_text_find_the_note(base: KnowledgeBase) -> None:
    text = "The size of the connection pool is set when the server starts. "

    assert first(base, text * (10_000 // len(text) + 1)) == "phrase"


def test_ten_kilobytes_around_a_question_still_find_its_note(base: KnowledgeBase) -> None:
    filler = " ".join(f"filler{number}" for number in range(1_000))

    assert len(filler) > 9_000
    assert first(base, f"second office in Zürich near the lake {filler}") == "zurich"


@pytest.mark.parametrize(
    ("query", "docid"),
    [
        ("getUserName", "get-user-name"),
        ("getusername", "get-user-name"),
        ("get_user_name", "get-user-name"),
        ("GetUserName()", "get-user-name"),
        ("getUserMail", "get-user-mail"),
        ("OPENAI_API_KEY", "openai-key"),
        ("openai-api-key", "openai-key"),
        ("openai api key", "openai-key"),
        ("openai_api_key", "openai-key"),
        ("OpenAI key", "openai-key"),
        ("openaiApiKey", "openai-key"),
    ],
)
def test_identifiers_are_found_whole_and_in_parts(
    base: KnowledgeBase, query: str, docid: str
) -> None:
    assert first(base, query) == docid


@pytest.mark.parametrize("query", ["user name", "get user name"])
def test_parts_of_an_identifier_find_it_among_the_best(base: KnowledgeBase, query: str) -> None:
    found = [hit.docid for hit in base.search(query).hits]

    assert "get-user-name" in found[:3]


@pytest.mark.parametrize(
    ("query", "docid"),
    [
        ("连接池", "zh-pool"),
        ("数据库连接池大小设置为20", "zh-pool"),
        ("线程池", "zh-threads"),
        ("itgc", "zh-itgc"),
        ("gen-itgc", "zh-itgc"),
        ("悬空引用", "zh-itgc"),
        ("重跑gen-itgc", "zh-itgc"),
        ("サンドボックス", "ja-sandbox"),
        ("サンドイッチ", "ja-bread"),
        ("데이터베이스", "ko-database"),
        ("데이터베이스를", "ko-database"),
        ("京", "ja-kyoto"),
        ("京都", "ja-kyoto"),
        ("阪", "ja-osaka"),
        ("ｻﾝﾄﾞﾎﾞｯｸｽ", "ja-sandbox"),
    ],
)
def test_words_of_scripts_without_spaces_are_found(
    base: KnowledgeBase, query: str, docid: str
) -> None:
    assert first(base, query) == docid


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(
    ("query", "docid"),
    [
        ("café", "cafe"),
        ("cafe", "cafe"),
        ("CAFÉ", "cafe"),
        ("Zürich", "zurich"),
        ("zurich", "zurich"),
        ("naïve", "naive"),
        ("naive", "naive"),
        ("Ångström", "angstrom"),
        ("angstrom", "angstrom"),
        ("\u212bngstrom", "angstrom"),
        ("サンドボックス", "ja-sandbox"),
    ],
)
def test_accents_are_found_typed_or_left_out(
    base: KnowledgeBase, query: str, docid: str, form: Literal["NFC", "NFD"]
) -> None:
    assert first(base, unicodedata.normalize(form, query)) == docid


@pytest.mark.parametrize("query", ["fullwidth", wide("FULLWIDTH"), "12345", wide("12345")])
def test_full_width_letters_and_digits_are_plain_ones(base: KnowledgeBase, query: str) -> None:
    assert first(base, query) == "fullwidth"


@pytest.mark.parametrize("query", ['"connection pool is set"', "“connection pool is set”"])
def test_quoted_words_are_found_as_a_phrase(base: KnowledgeBase, query: str) -> None:
    assert [hit.docid for hit in base.search(query).hits] == ["phrase"]


def test_every_awkward_note_is_among_notes_that_share_its_words(base: KnowledgeBase) -> None:
    assert base.status().sections == len(NOTES) > 50


def test_notes_with_accents_left_out_are_found_with_accents_typed(learned_base: MakeBase) -> None:
    base = learned_base(
        {
            "lake": "Second office\nThe second office is in Zurich near the lake.",
            "river": "Third office\nThe third office is in Basel near the river.",
            "decomposed": unicodedata.normalize("NFD", "Voilà\nThe sign says Entrée."),
        }
    )

    assert first(base, "Zürich") == "lake"
    assert first(base, "Entrée") == first(base, "entree") == "decomposed"
