using System.Xml.Linq;

namespace Postrider.SystemTests.Packages;

/// <summary><c>./dev pack</c>: what it builds.</summary>
public sealed class PackVerbTests
{
    [Fact]
    public async Task Every_package_is_packed_and_nothing_else_is_built()
    {
        var (exitCode, output) = await DotnetCommand.RunAsync(Checkout.Root, "bash", "-c", "POSTRIDER_ROOT=$PWD; . dev.d/lib/packages.sh; packed_projects");

        Assert.Equal(0, exitCode);
        Assert.Equal(
            PackedPackages.Projects.Select(static project => Path.GetRelativePath(Checkout.Root, project)),
            XDocument.Parse(output).Descendants("Project").Select(static project => Path.GetRelativePath(Checkout.Root, project.Attribute("Path")!.Value)).Order(StringComparer.Ordinal));
    }
}
