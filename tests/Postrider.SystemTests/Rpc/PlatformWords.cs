namespace Postrider.SystemTests.Rpc;

/// <summary>What no caller should read: names of types, and words of the platform that the server happens to run on.</summary>
internal static class PlatformWords
{
    private static readonly string[] s_words =
    [
        "System.", "Postrider.", "SystemTests", ".NET", "Exception", "Utf8Json", "XmlSerializer", "Ticket", "Int32", "Int64", "Nullable", "List`", "CLR", "object reference", "cast",
        "JsonSerializer", "BytePositionInLine", "   at ",
    ];

    public static void None(string text) => Assert.All(s_words, word => Assert.DoesNotContain(word, text, StringComparison.OrdinalIgnoreCase));
}
