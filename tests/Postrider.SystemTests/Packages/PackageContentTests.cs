using System.IO.Compression;
using System.Reflection.Metadata;
using System.Text;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace Postrider.SystemTests.Packages;

/// <summary>What is in every package: what its page shows, symbols with their sources, documentation of what users can call, and the dependencies that are meant.</summary>
[Collection(nameof(RepositoryBuilds))]
public sealed partial class PackageContentTests(PackedPackages packages)
{
    // POSTRIDER_WRITE_PACKAGES=1 writes it anew, for review.
    private const string Expected = "packaging/dependencies.txt";

    public static TheoryData<string> Names => [.. PackedPackages.Names];

    public static TheoryData<string> Libraries => [.. PackedPackages.Names.Where(static name => name is not ("Postrider.Tool" or "Postrider.Templates"))];

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Package_has_a_page_an_icon_a_licence_and_its_commit(string name)
    {
        await using var package = await OpenAsync(name);
        var metadata = await SpecificationAsync(package);

        Assert.Equal(("icon.png", "README.md", "MIT", "https://github.com/postrider/postrider"), (Value("icon"), Value("readme"), Value("license"), Value("projectUrl")));
        Assert.Contains("nats", Value("tags")!.Split(' '));
        Assert.InRange(Value("description")!.Length, 20, 400);
        var repository = metadata.Element(metadata.Name.Namespace + "repository")!;
        Assert.Equal("https://github.com/postrider/postrider", repository.Attribute("url")!.Value);
        Assert.Matches("^[0-9a-f]{40}$", repository.Attribute("commit")!.Value);
        var page = await TextAsync(package, "README.md");
        Assert.StartsWith($"# {name}\n\n{Value("description")}\n\n```sh\n", page, StringComparison.Ordinal);
        foreach (Match link in Page().Matches(page))
            Assert.True(File.Exists(Path.Join(Checkout.Root, link.Groups["path"].Value)), $"{name}'s page links {link.Value}, which does not exist.");
        Assert.Contains("nats-server", await TextAsync(package, "NOTICE"), StringComparison.Ordinal);
        await using var icon = await package.GetEntry("icon.png")!.OpenAsync(TestContext.Current.CancellationToken);
        var signature = new byte[8];
        await icon.ReadExactlyAsync(signature, TestContext.Current.CancellationToken);
        Assert.Equal("PNG", Encoding.ASCII.GetString(signature, 1, 3));

        string? Value(string element) => metadata.Element(metadata.Name.Namespace + element)?.Value;
    }

    [Theory]
    [MemberData(nameof(Libraries))]
    public async Task Symbols_point_to_the_sources_of_the_commit(string name)
    {
        await using var package = await OpenAsync(name);
        var commit = (await SpecificationAsync(package)).Elements().Single(static element => element.Name.LocalName == "repository").Attribute("commit")!.Value;
        await using var symbols = await ZipFile.OpenReadAsync(Path.Join(packages.Feed, $"{name}.{PackedPackages.Version}.snupkg"), TestContext.Current.CancellationToken);
        using var image = new MemoryStream();
        await using (var entry = await symbols.Entries.Single(static entry => entry.Name.EndsWith(".pdb", StringComparison.Ordinal)).OpenAsync(TestContext.Current.CancellationToken))
            await entry.CopyToAsync(image, TestContext.Current.CancellationToken);

        using var provider = MetadataReaderProvider.FromPortablePdbImage([.. image.ToArray()]);
        var reader = provider.GetMetadataReader();

        // The custom debug information "Source Link" of the portable PDB format.
        var link = reader.CustomDebugInformation.Select(reader.GetCustomDebugInformation).Single(information => reader.GetGuid(information.Kind) == new Guid("CC110556-A091-4D38-9FEC-25AB9A351A6A"));
        Assert.Contains($"https://raw.githubusercontent.com/postrider/postrider/{commit}/*", Encoding.UTF8.GetString(reader.GetBlobBytes(link.Value)), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Libraries))]
    public async Task Documentation_has_only_what_users_can_refer_to(string name)
    {
        await using var package = await OpenAsync(name);
        using var image = new MemoryStream();
        await using (var entry = await package.GetEntry($"lib/net10.0/{name}.dll")!.OpenAsync(TestContext.Current.CancellationToken))
            await entry.CopyToAsync(image, TestContext.Current.CancellationToken);
        image.Position = 0;
        var visible = VisibleSymbols.Ids(name, image);

        var documented = XDocument.Parse(await TextAsync(package, $"lib/net10.0/{name}.xml")).Descendants("member").Select(static member => member.Attribute("name")!.Value).ToList();

        Assert.Equal(visible.Count > 0, documented.Count > 0);
        Assert.Equal([], documented.Where(id => !visible.Contains(id)));
    }

    [Fact]
    public async Task Dependencies_are_those_that_are_meant()
    {
        var lines = new StringBuilder("# What each package depends on: reviewed when it changes.\n");
        foreach (var name in PackedPackages.Names.Order(StringComparer.Ordinal))
        {
            await using var package = await OpenAsync(name);
            var dependencies = (await SpecificationAsync(package)).Descendants().Where(static element => element.Name.LocalName is "dependency" or "frameworkReference");
            lines.Append($"{name}:{string.Concat(dependencies.Select(static one => (one.Attribute("id") ?? one.Attribute("name"))!.Value).Distinct().Order(StringComparer.Ordinal).Select(static id => " " + id))}\n");
        }

        if (Environment.GetEnvironmentVariable("POSTRIDER_WRITE_PACKAGES") == "1") await File.WriteAllTextAsync(Path.Join(Checkout.Root, Expected), lines.ToString());
        Assert.Equal(await File.ReadAllTextAsync(Path.Join(Checkout.Root, Expected), TestContext.Current.CancellationToken), lines.ToString());
    }

    private Task<ZipArchive> OpenAsync(string name) => ZipFile.OpenReadAsync(Path.Join(packages.Feed, $"{name}.{PackedPackages.Version}.nupkg"), TestContext.Current.CancellationToken);

    private static async Task<XElement> SpecificationAsync(ZipArchive package)
        => XDocument.Parse(await TextAsync(package, package.Entries.Single(static entry => entry.FullName.EndsWith(".nuspec", StringComparison.Ordinal)).FullName)).Root!.Elements().First();

    private static async Task<string> TextAsync(ZipArchive package, string path)
    {
        using var reader = new StreamReader(await package.GetEntry(path)!.OpenAsync(TestContext.Current.CancellationToken));
        return await reader.ReadToEndAsync(TestContext.Current.CancellationToken);
    }

    [GeneratedRegex(@"https://github\.com/postrider/postrider/blob/main/(?<path>\S+)")]
    private static partial Regex Page();
}
