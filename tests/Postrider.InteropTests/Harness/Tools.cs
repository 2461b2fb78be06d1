using System.Reflection;

namespace Postrider.InteropTests.Harness;

/// <summary>Where the foreign programs are. <c>./dev test</c> puts them there; one that is absent fails its tests.</summary>
internal static class Tools
{

    /// <summary>The repository that these tests were built from.</summary>
    public static string Repository => Checkout.Root;

    /// <summary>Go's nats-server.</summary>
    public static string NatsServer => Existing(
        Environment.GetEnvironmentVariable("POSTRIDER_NATS_SERVER") ?? Path.Combine(Sid, "usr", "sbin", "nats-server"));

    /// <summary>Our command line: the published one that <c>./dev test</c> names, else the one built with these tests.</summary>
    public static string Postrider => Existing(
        Environment.GetEnvironmentVariable("POSTRIDER_PROGRAM") is { Length: > 0 } named ? named : Path.Combine(AppContext.BaseDirectory, "Postrider.CommandLine"));

    /// <summary>PowerShell.</summary>
    public static string PowerShell => Existing(
        Environment.GetEnvironmentVariable("POSTRIDER_PWSH") is { Length: > 0 } named ? named : Checkout.PathOf("artifacts", "pwsh", "pwsh"));

    /// <summary>The folder of the npm clients' stories.</summary>
    public static string NodeStories => Checkout.PathOf("tests", "Postrider.InteropTests", "node");

    /// <summary>The stories of the folder of a language.</summary>
    public static string Story(string language, string name) => Existing(Checkout.PathOf("tests", "Postrider.InteropTests", language, name));

    /// <summary>The C client's stories, compiled.</summary>
    public static string CStory => Existing(Checkout.PathOf("artifacts", "interop", "story"));

    /// <summary>Libraries of the suite that the C client was built in, its own among them.</summary>
    public static string CLibraries => Path.GetDirectoryName(Directory.EnumerateFiles(Path.Combine(Sid, "usr", "lib"), "libnats.so*", SearchOption.AllDirectories).First())!;

    /// <summary>The loader that belongs to those libraries: the system's own may be older than they need.</summary>
    public static string CLoader => Directory.EnumerateFiles(CLibraries, "ld-linux*.so*").First();

    /// <summary>The interpreters of the SOAP clients that Debian has.</summary>
    public static string SidSoap => Path.GetDirectoryName(Existing(Checkout.PathOf("artifacts", "debian-sid", "soap", ".complete")))!;

    /// <summary>The store that gSOAP made of our WSDL, compiled.</summary>
    public static string GsoapStore => Existing(Checkout.PathOf("artifacts", "interop", "gsoap", "store"));

    /// <summary>Libraries of the suite that gSOAP was built in, its own among them.</summary>
    public static string GsoapLibraries => Path.GetDirectoryName(Directory.EnumerateFiles(
        Checkout.PathOf("artifacts", "debian-sid", "gsoap", "usr", "lib"), "libgsoap++.so", SearchOption.AllDirectories).First())!;

    private static string Sid => Checkout.PathOf("artifacts", "debian-sid", "root");

    private static string Existing(string path)
        => File.Exists(path) ? path : throw new FileNotFoundException($"{path} is missing; ./dev test puts it there.", path);
}
