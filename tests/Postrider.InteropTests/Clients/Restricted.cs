namespace Postrider.InteropTests.Clients;

/// <summary>A server that allows little: what the stories about errors are told to.</summary>
internal static class Restricted
{
    /// <summary>One user, <c>few</c>, who may publish and subscribe to <c>open.&gt;</c>; payloads up to 1000 bytes.</summary>
    public const string Configuration = """
        max_payload: 1000
        authorization { users [ { user: few, password: pw, permissions: { publish: "open.>", subscribe: "open.>" } } ] }
        """;
}
