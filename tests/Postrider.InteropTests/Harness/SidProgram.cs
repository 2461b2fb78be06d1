namespace Postrider.InteropTests.Harness;

/// <summary>Interpreters of Debian's suite sid, unpacked and not installed: each is run by the loader and the C library that
/// came with it and finds its modules below the same folder, whatever the machine has of its own.</summary>
internal static class SidProgram
{
    private static string Root => Tools.SidSoap;

    private static string Libraries => Path.GetDirectoryName(Loader)!;

    private static string Loader => Directory.EnumerateFiles(Path.Combine(Root, "usr", "lib"), "ld-linux*.so*", SearchOption.AllDirectories).First();

    /// <summary>Python, with its packages.</summary>
    public static Task<string> RunPythonAsync(string story, params IEnumerable<string> arguments)
    {
        IEnumerable<string> environment =
        [
            "PYTHONHOME=" + Path.Combine(Root, "usr"), "PYTHONPATH=" + Path.Combine(Root, "usr", "lib", "python3", "dist-packages"),
            "PYTHONDONTWRITEBYTECODE=1", "PYTHONNOUSERSITE=1", "PYTHONUTF8=1",
        ];
        return RunAsync(environment, Path.Combine(Root, "usr", "bin", "python3"), [Tools.Story("python", story), .. arguments]);
    }

    /// <summary>PHP, without its ini files, with the extension <c>soap</c>.</summary>
    public static Task<string> RunPhpAsync(string story, params IEnumerable<string> arguments)
    {
        var extensions = Path.GetDirectoryName(Directory.EnumerateFiles(Path.Combine(Root, "usr", "lib", "php"), "soap.so", SearchOption.AllDirectories).First());
        return RunAsync([], Newest(Path.Combine(Root, "usr", "bin"), "php?.?"), ["-n", "-d", "extension_dir=" + extensions, "-d", "extension=soap", Tools.Story("php", story), .. arguments]);
    }

    /// <summary>Perl, with its modules.</summary>
    public static Task<string> RunPerlAsync(string story, params IEnumerable<string> arguments)
    {
        var share = Path.Combine(Root, "usr", "share");
        IEnumerable<string> modules =
        [
            Path.Combine(share, "perl5"), Newest(Path.Combine(Libraries, "perl5"), "5.*"), Newest(Path.Combine(share, "perl"), "5.*"),
            Newest(Path.Combine(Libraries, "perl"), "5.*"), Path.Combine(Libraries, "perl-base"),
        ];
        return RunAsync(["PERL5LIB=" + string.Join(':', modules)], Path.Combine(Root, "usr", "bin", "perl"), [Tools.Story("perl", story), .. arguments]);
    }

    private static Task<string> RunAsync(IEnumerable<string> environment, string interpreter, IEnumerable<string> arguments)
        => ForeignProgram.RunAsync("env", [.. environment, Loader, "--library-path", Libraries, interpreter, .. arguments]);

    // 'X' and 'X.1' name the same folder or file.
    private static string Newest(string folder, string pattern)
        => Directory.EnumerateFileSystemEntries(folder, pattern).Order(StringComparer.Ordinal).LastOrDefault()
            ?? throw new FileNotFoundException($"{folder} has no {pattern}; ./dev test puts it there.");
}
