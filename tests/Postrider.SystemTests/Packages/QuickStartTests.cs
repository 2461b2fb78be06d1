using System.Text.RegularExpressions;
using Postrider.SystemTests.Guides;

namespace Postrider.SystemTests.Packages;

/// <summary>docs/guide/quick-start.md as a reader follows it: the commands, the two files, and what the program prints and serves.</summary>
[Collection(nameof(RepositoryBuilds))]
public sealed partial class QuickStartTests(PackedPackages packages)
{
    private const string Broker = "AddPostriderBroker(options => options.JetStream = new() { StoreDirectory = \"../shop-data\" })";
    private const string BrokerOnAFreePort = "AddPostriderBroker(options => { options.Port = BrokerOptions.RandomPort; options.JetStream = new() { StoreDirectory = \"../shop-data\" }; })";

    [Fact]
    public async Task Project_is_made_built_and_run()
    {
        var blocks = GuideBlock.Read(await File.ReadAllTextAsync(Checkout.PathOf("docs", "guide", "quick-start.md"), TestContext.Current.CancellationToken));
        var folder = await packages.UserFolderAsync("quick-start");
        var commands = blocks.Where(static block => block.Language == "sh").SelectMany(static block => block.Lines).Select(static line => line.Split('#')[0].Trim()).ToList();
        // The folder's nuget.config names the source.
        Assert.Equal("dotnet nuget add source \"$PWD/artifacts/packages\" --name postrider", commands[0]);
        Assert.Equal("dotnet new web -o Shop && cd Shop", commands[1]);
        await DotnetCommand.SdkAsync(folder, "new", "web", "-o", "Shop");
        var project = Path.Join(folder, "Shop");
        foreach (var command in commands[2..])
        {
            Assert.StartsWith("dotnet add package ", command, StringComparison.Ordinal);
            await DotnetCommand.SdkAsync(project, [.. command.Split(' ')[1..], "--version", PackedPackages.Version]);
        }
        var pieces = blocks.Where(static block => block.Language == "csharp").ToLookup(static block => block.Lines.Any(static line => line.Contains("JsonSerializerContext", StringComparison.Ordinal)), static block => string.Join('\n', block.Lines));
        var program = string.Join('\n', pieces[false]);
        Assert.Contains(Broker, program, StringComparison.Ordinal);
        await File.WriteAllTextAsync(Path.Join(project, "Messages.cs"), pieces[true].Single(), TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(Path.Join(project, "Program.cs"), program.Replace(Broker, BrokerOnAFreePort, StringComparison.Ordinal), TestContext.Current.CancellationToken);

        await DotnetCommand.SdkAsync(project, "build", "-c", "Release", "-o", "out", "-warnaserror", "-p:NuGetAudit=false", "-nologo", "-v", "q");
        using var shop = ProgramProcess.Start(Path.Join(project, "out", "Shop"), "--urls", "http://127.0.0.1:0");

        foreach (Match line in Printed().Matches(program)) await shop.PrintsAsync(line.Groups["line"].Value);
        using var http = new HttpClient { BaseAddress = new Uri((await shop.PrintsAsync(Listening())).Groups["url"].Value) };
        Assert.Contains("<title>", await http.GetStringAsync("/postrider", TestContext.Current.CancellationToken), StringComparison.Ordinal);
        Assert.Contains("\"server_id\"", await http.GetStringAsync("/postrider/varz", TestContext.Current.CancellationToken), StringComparison.Ordinal);
    }

    [GeneratedRegex("Now listening on: (?<url>http://[0-9.:]+)")]
    private static partial Regex Listening();

    [GeneratedRegex(@"Console\.WriteLine\(.*\); // (?<line>.*)$", RegexOptions.Multiline)]
    private static partial Regex Printed();
}
