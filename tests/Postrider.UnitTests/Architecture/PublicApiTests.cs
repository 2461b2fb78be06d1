using Microsoft.CodeAnalysis;

namespace Postrider.UnitTests.Architecture;

/// <summary>Holds the libraries' public surface to the text files in <c>api/</c>.</summary>
/// <remarks><c>./dev api</c> rewrites the files: it runs this test with <c>POSTRIDER_WRITE_API</c> set.</remarks>
public sealed class PublicApiTests
{
    private static readonly string[] Loadable = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator);
    private static readonly bool Rewrite = Environment.GetEnvironmentVariable("POSTRIDER_WRITE_API") == "1";

    // A generator has no surface: it is loaded by the compiler, not by a program.
    public static TheoryData<string> Libraries => [.. SourceProject.All
        .Where(project => project.IsLibrary).Select(project => project.Name).Where(name => !name.Contains("Generator", StringComparison.Ordinal))];

    [Theory]
    [MemberData(nameof(Libraries))]
    public void Public_surface_is_the_committed_one(string library)
    {
        var path = Loadable.SingleOrDefault(file => Path.GetFileNameWithoutExtension(file) == library);
        Assert.True(path is not null, $"This test program does not reference {library}, so its surface cannot be read.");
        var file = Path.Combine(Repository.Root, "api", library + ".txt");

        var surface = PublicApi.Describe(path, Loadable.Where(other => other != path).Select(other => MetadataReference.CreateFromFile(other)));
        if (Rewrite)
            File.WriteAllText(file, surface);

        Assert.True(File.Exists(file), $"api/{library}.txt is missing: ./dev api writes it.");
        var committed = File.ReadAllText(file);
        Assert.True(surface == committed, $"The public surface of {library} changed; ./dev api rewrites api/{library}.txt.\n{Difference(committed, surface)}");
    }

    [Fact]
    public void Every_text_file_belongs_to_a_library()
        => Findings.None(Repository.Files("api", ".txt").Select(Path.GetFileNameWithoutExtension).Except(Libraries.Select(row => row.Data)));

    private static string Difference(string committed, string surface)
    {
        var before = committed.Split('\n');
        var after = surface.Split('\n');
        return string.Join('\n', before.Except(after).Select(line => "- " + line).Concat(after.Except(before).Select(line => "+ " + line)));
    }
}
