using System.Net.Http.Json;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using Postrider.Broker;
using Postrider.Client;
using Postrider.SystemTests.Guides;

namespace Postrider.SystemTests.Packages;

/// <summary>docs/guide/hosting.md as a reader follows it with the packages: the commands, the files, and what the two programs do;
/// then the worker published and started as docs/guide/deploy.md shows.</summary>
[Collection(nameof(RepositoryBuilds))]
public sealed partial class HostingGuideTests(PackedPackages packages)
{
    // The machine has it in the version that the repository pins, which is newer than that of Entity Framework Core.
    private const string NativeSqlite = "SQLitePCLRaw.bundle_e_sqlite3";

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Projects_are_made_built_run_and_deployed()
    {
        var hosting = await ReadAsync("hosting.md");
        var deploy = await ReadAsync("deploy.md");
        var folder = await packages.UserFolderAsync("parcels", fromMachine: true);
        foreach (var command in Commands(hosting, "The projects")) await DotnetAsync(folder, command);
        await DotnetCommand.SdkAsync(folder, "add", "Web", "package", NativeSqlite, "--version", PinnedVersion(), "--no-restore");
        await WriteFilesAsync(folder, hosting);
        await DotnetCommand.SdkAsync(folder, "build", "Web", "-c", "Release", "-o", "web-out", "-warnaserror", "-p:NuGetAudit=false", "-p:RunAnalyzers=false", "-nologo", "-v", "q");
        var publish = Commands(deploy, "An application under systemd").Single(static command => command.StartsWith("dotnet publish", StringComparison.Ordinal));
        await DotnetCommand.SdkAsync(folder, [.. publish.Split(' ')[1..], "-warnaserror", "-p:NuGetAudit=false", "-p:RunAnalyzers=false"]);
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions
        {
            Port = BrokerOptions.RandomPort,
            JetStream = new JetStreamOptions { StoreDirectory = Path.Join(folder, "js") },
        });
        var (address, health) = ($"127.0.0.1:{FreePort.Find()}", Path.Join(folder, "healthy"));

        using var web = ProgramProcess.Start(
            Path.Join(folder, "web-out", "Web"), "--urls", "http://127.0.0.1:0", "--Postrider:Client:Servers", broker.Url!, "--Rates:Token", "secret", "--Rates:Listen", address);
        using var http = new HttpClient { BaseAddress = new Uri((await web.PrintsAsync(Listening())).Groups["url"].Value) };
        using var worker = ProgramProcess.Start(
            ProgramOf(deploy, Path.Join(folder, "out")), "--Postrider:Client:Servers", broker.Url!, "--Postrider:Rpc:Channels:rates:Address", $"tcp://{address}", "--Rates:Token", "secret", "--Health:File", health);
        await worker.PrintsAsync("Application started");
        var accepted = await http.PostAsJsonAsync("/parcels", new { to = "Rome", kilograms = 2 }, Ct);
        await http.PostAsJsonAsync("/parcels", new { to = "", kilograms = 2 }, Ct);

        Assert.Equal(32, (await accepted.Content.ReadFromJsonAsync<JsonElement>(Ct)).GetProperty("number").GetString()!.Length);
        await worker.PrintsAsync("is a dead letter (Exhausted, attempt 5 of 5) and was moved to 'lost.parcels.accepted'. InvalidOperationException: Nobody lives there.");
        await using var client = await NatsClient.ConnectAsync(broker.Url!, ct: Ct);
        Assert.Equal(2UL, (await client.CreateJetStreamContext().GetStreamAsync("PARCELS", ct: Ct)).Info.State.Messages);
        // The message is acknowledged after it is logged.
        await Eventually.HoldsAsync(async () => (await client.CreateJetStreamContext().GetConsumerAsync("PARCELS", "billing", Ct)).Info.AckPendingCount == 0);
        Assert.Equal("Healthy", await http.GetStringAsync("/health/ready", Ct));
        await Eventually.HoldsAsync(() => File.Exists(health));
    }

    private static string PinnedVersion()
        => XDocument.Load(Checkout.PathOf("Directory.Packages.props")).Descendants("PackageVersion").Single(static package => package.Attribute("Include")!.Value == NativeSqlite).Attribute("Version")!.Value;

    private static IEnumerable<string> Commands(IEnumerable<GuideBlock> blocks, string section)
        => blocks.Where(block => block.Language == "sh" && block.Section == section)
            .SelectMany(static block => block.Lines).SelectMany(static line => line.Split('#')[0].Split("&&", StringSplitOptions.TrimEntries)).Select(static command => command.Trim()).Where(static command => command.Length > 0);

    private static async Task DotnetAsync(string folder, string command)
    {
        string[] words = [.. command.Split(' ').Select(static word => word.Trim('\''))];
        Assert.Equal("dotnet", words[0]);
        switch (words)
        {
            case [_, "new", ..]:
                await DotnetCommand.SdkAsync(folder, [.. words[1..], "--no-restore"]);
                // The package of the SDK's template may be on no source of the test; the worker's framework reference has it, as deploy.md says.
                if (words[2] == "worker") await DotnetCommand.SdkAsync(folder, "remove", words[4], "package", "Microsoft.Extensions.Hosting");
                break;
            case [_, "add", _, "package", _]:
                await DotnetCommand.SdkAsync(folder, [.. words[1..], "--version", PackedPackages.Version, "--no-restore"]);
                break;
            default:
                await DotnetCommand.SdkAsync(folder, words[1..]);
                break;
        }
    }

    // The pieces in the order of the page: those without a file of their own are Program.cs.
    private static async Task WriteFilesAsync(string folder, IEnumerable<GuideBlock> blocks)
    {
        var pieces = blocks.Where(static block => block.Language == "csharp" && block.Section is "Messages" or "The web application" or "The worker")
            .ToLookup(static block => block.Section, static block => string.Join('\n', block.Lines));
        File.Delete(Path.Join(folder, "Messages", "Class1.cs"));
        File.Delete(Path.Join(folder, "Worker", "Worker.cs"));
        var project = Path.Join(folder, "Messages", "Messages.csproj");
        var reference = string.Join('\n', blocks.Single(static block => block is { Language: "xml", Section: "The projects" }).Lines);
        await File.WriteAllTextAsync(project, (await File.ReadAllTextAsync(project, Ct)).Replace("</Project>", $"{reference}\n</Project>", StringComparison.Ordinal), Ct);
        await WriteAsync("Messages/Messages.cs", pieces["Messages"].Single());
        string[] web = [.. pieces["The web application"]], worker = [.. pieces["The worker"]];
        Assert.Equal((5, 4), (web.Length, worker.Length));
        await WriteAsync("Web/Program.cs", string.Join('\n', [.. web[..3], "await app.RunAsync();"]));
        await WriteAsync("Web/Handlers.cs", web[3]);
        await WriteAsync("Web/Rates.cs", web[4]);
        await WriteAsync("Worker/Program.cs", string.Join('\n', [.. worker[..2], "await builder.Build().RunAsync();"]));
        await WriteAsync("Worker/Billing.cs", worker[2]);
        await WriteAsync("Worker/HealthFile.cs", worker[3]);

        Task WriteAsync(string file, string content) => File.WriteAllTextAsync(Path.Join(folder, file), content + "\n", Ct);
    }

    // The program that the unit starts, below the folder that is copied to its own.
    private static string ProgramOf(IEnumerable<GuideBlock> deploy, string published)
    {
        var unit = deploy.Single(static block => block.Language == "ini" && block.Lines.Contains("[Unit]")).Lines;
        var folder = ValueOf("WorkingDirectory") + "/";
        Assert.StartsWith(folder, ValueOf("ExecStart"), StringComparison.Ordinal);
        return Path.Join(published, ValueOf("ExecStart")[folder.Length..]);

        string ValueOf(string key) => unit.Single(line => line.StartsWith(key + "=", StringComparison.Ordinal))[(key.Length + 1)..];
    }

    private static async Task<List<GuideBlock>> ReadAsync(string page) => GuideBlock.Read(await File.ReadAllTextAsync(Checkout.PathOf("docs", "guide", page), Ct));

    [GeneratedRegex("Now listening on: (?<url>http://[0-9.:]+)")]
    private static partial Regex Listening();
}
