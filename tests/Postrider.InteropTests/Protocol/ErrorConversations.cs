namespace Postrider.InteropTests.Protocol;

/// <summary>Conversations in which something goes wrong: the error's words and whether the connection survives it.</summary>
internal static class ErrorConversations
{
    private static readonly Dictionary<string, string> Scripts = new()
    {
        ["unknown operation closes"] = """
            A> HELLO
            A< -ERR 'Unknown Protocol Operation'
            A< (closed)
            """,
        ["blank line between operations closes"] = """
            A> SUB blank 1
            A>
            A< -ERR 'Unknown Protocol Operation'
            A< (closed)
            """,
        ["payload longer than announced closes"] = """
            A> PUB a 2
            A> abc
            A< -ERR 'Unknown Protocol Operation'
            A< (closed)
            """,
        ["payload over the limit closes"] = """
            A> PUB a 1048577
            A< -ERR 'Maximum Payload Violation'
            A< (closed)
            """,
        ["control line over the limit closes"] = $"""
            A> PUB {new string('a', 4100)} 1
            A< -ERR 'maximum control line exceeded'
            A< (closed)
            """,
        ["wildcard in a published subject is an error in pedantic mode and the connection stays"] = """
            A> CONNECT {"verbose":false,"pedantic":true}
            A> PUB a.* 1
            A> x
            A> SUB after 1
            A> PUB after 1
            A> y
            A< -ERR 'Invalid Publish Subject'
            A< MSG after 1 1
            A< y
            """,
        ["invalid subject of a subscription is an error and the connection stays"] = """
            A> SUB a..b 1
            A> SUB after 2
            A> PUB after 1
            A> y
            A< -ERR 'Invalid Subject'
            A< MSG after 2 1
            A< y
            """,
        ["no_responders without headers closes"] = """
            A> CONNECT {"verbose":false,"no_responders":true,"headers":false}
            A< -ERR 'no responders requires headers support'
            A< (closed)
            """,
        ["headers are refused where CONNECT did not ask for them"] = """
            A> CONNECT {"verbose":false,"headers":false}
            A> HPUB a 12 12
            A> NATS/1.0
            A>
            A>
            A< (closed)
            """,
        ["headers that were not asked for are refused at the line, before the payload"] = """
            A> CONNECT {"verbose":false}
            A> HPUB a 12 1000
            A< (closed)
            """,
        ["headers that were not asked for are refused before their line is understood"] = """
            A> CONNECT {"verbose":false}
            A> HPUB too few
            A< (closed)
            """,
    };

    public static IEnumerable<string> Names => Scripts.Keys;

    public static string Script(string name) => Scripts[name];
}
