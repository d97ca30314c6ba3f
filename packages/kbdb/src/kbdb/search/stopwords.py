"""Words that carry no subject; a query drops them unless it has no others."""

_ENGLISH = """
a about after available existing find finds found possible present again all also am an and any are
as at be because been before being between both but by can could did do does doing done down during
each either else ever every few for from further get gets getting give given go goes going got had
has have having he her here hers him his how however i if in into is it its itself just let like ll
made make makes many may me might more most much must my need needs neither no nor not now of off on
once one only or other our ours out over own per please rather re really s same shall she should
show so some still such t tell than that the their theirs them then there these they this those
through thus to too under until up upon us use used uses using ve very want wants was way we well
were what when where whether which while who whom whose why will with within without would yes yet
you your yours dont doesnt didnt isnt arent wasnt werent cant couldnt wont wouldnt shouldnt hasnt
havent hadnt im ive id ill youre youve youd youll hes shes theyre theyve weve thats whats wheres
heres theres lets
"""

_BY_LANGUAGE = {"english": frozenset(_ENGLISH.split())}


def stop_words(language: str) -> frozenset[str]:
    """Return the language's stop words, folded and unstemmed; empty where we have no list."""
    return _BY_LANGUAGE.get(language, frozenset())
