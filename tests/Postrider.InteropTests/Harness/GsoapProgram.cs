namespace Postrider.InteropTests.Harness;

/// <summary>The store that gSOAP made: a client and a service.</summary>
internal static class GsoapProgram
{
    /// <summary>Runs to the end and gives what was printed.</summary>
    public static Task<string> RunAsync(params IEnumerable<string> arguments) => ForeignProgram.RunAsync(Loader, [.. Words, .. arguments]);

    /// <summary>Starts the service; its first line is its port.</summary>
    public static ForeignProgram Serve() => ForeignProgram.Start(Loader, [.. Words, "serve"]);

    private static string Loader => Directory.EnumerateFiles(Tools.GsoapLibraries, "ld-linux*.so*").First();

    private static IEnumerable<string> Words => ["--library-path", Tools.GsoapLibraries, Tools.GsoapStore];
}
