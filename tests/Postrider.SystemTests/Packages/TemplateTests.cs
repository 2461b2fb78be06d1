using System.Net;
using System.Net.Http.Json;
using System.Text.RegularExpressions;
using Postrider.Broker;
using Postrider.Client;
using Postrider.SystemTests.CommandLine;

namespace Postrider.SystemTests.Packages;

/// <summary><c>dotnet new</c> with each template in an empty folder, and the tool: made, built and run with the packages alone.</summary>
[Collection(nameof(RepositoryBuilds))]
public sealed partial class TemplateTests(PackedPackages packages)
{
    [Fact]
    public async Task Worker_handles_what_a_stream_brings()
    {
        var program = await CreateAsync("worker", "Packer");
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions
        {
            Port = BrokerOptions.RandomPort,
            JetStream = new Postrider.Broker.JetStreamOptions { StoreDirectory = Path.Join(packages.Folder, "js") },
        });
        var health = Path.Join(packages.Folder, "healthy");
        using var worker = ProgramProcess.Start(program, "--Postrider:Client:Servers", broker.Url!, "--Health:File", health);
        await using var client = await NatsClient.ConnectAsync(broker.Url!);
        await worker.PrintsAsync("Application started");

        await client.CreateJetStreamContext().PublishAsync("orders.placed", """{"number":"17","item":"tea"}""");

        await worker.PrintsAsync("Packed tea for order 17");

        await client.CreateJetStreamContext().PublishAsync("orders.placed", """{"nummer":"18","item":"tea"}""");

        await worker.PrintsAsync("is a dead letter (Unreadable");
        var sources = await client.RequestAsync<byte[], string>("postrider.deadletters.sources", []);
        Assert.Equal("""{"sources":[{"transport":"orders","source":"lost.orders.placed"}]}""", sources.Data);
        await Eventually.HoldsAsync(() => File.Exists(health));
    }

    [Fact]
    public async Task Web_application_answers_and_names_the_members_that_are_not_valid()
    {
        var program = await CreateAsync("web", "Shop");
        using var web = ProgramProcess.Start(program, "--urls", "http://127.0.0.1:0");
        using var http = new HttpClient { BaseAddress = new Uri((await web.PrintsAsync(Listening())).Groups["url"].Value) };

        var placed = await http.PostAsJsonAsync("/orders", new { item = "tea", quantity = 2 }, TestContext.Current.CancellationToken);
        var empty = await http.PostAsJsonAsync("/orders", new { item = "tea", quantity = 0 }, TestContext.Current.CancellationToken);
        var misspelt = await http.PostAsJsonAsync("/orders", new { itm = "tea", quantity = 2 }, TestContext.Current.CancellationToken);

        Assert.Equal("""{"number":"1","text":"2 x tea"}""", await placed.Content.ReadAsStringAsync(TestContext.Current.CancellationToken));
        Assert.Equal((HttpStatusCode.BadRequest, HttpStatusCode.BadRequest), (empty.StatusCode, misspelt.StatusCode));
        Assert.Contains("""{"quantity":["An order has 1 to 100 pieces."]}""", await empty.Content.ReadAsStringAsync(TestContext.Current.CancellationToken), StringComparison.Ordinal);
        Assert.Contains("""{"item":["An order names an item."]}""", await misspelt.Content.ReadAsStringAsync(TestContext.Current.CancellationToken), StringComparison.Ordinal);
        Assert.Equal("Healthy", await http.GetStringAsync("/health", TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task Service_is_called_by_its_own_client()
    {
        var program = await CreateAsync("rpc", "Hello");
        using var service = ProgramProcess.Start(program, "--Listen", "127.0.0.1:0");
        var address = (await service.PrintsAsync(Address())).Groups["address"].Value;

        var (exitCode, output) = await DotnetCommand.RunAsync(packages.Folder, program, "ask", "Ann", address);

        Assert.Equal((0, "Hello Ann"), (exitCode, output.Trim()));
        await service.PrintsAsync("Greeting Ann");
    }

    [Fact]
    public async Task Tool_is_installed_and_used()
    {
        var folder = await packages.UserFolderAsync("tool");
        await DotnetCommand.SdkAsync(folder, "tool", "install", "Postrider.Tool", "--version", PackedPackages.Version, "--tool-path", Path.Join(folder, "bin"));
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort });

        var (exitCode, output) = await DotnetCommand.RunAsync(folder, Path.Join(folder, "bin", "postrider"), "pub", "a", "x", "--server", broker.Url!);

        Assert.Equal((0, "Published 1 × 1 byte to a"), (exitCode, output.Trim()));
    }

    // The templates stay in a folder of the test's: nobody else's list changes.
    private async Task<string> CreateAsync(string template, string name)
    {
        var folder = await packages.UserFolderAsync(name);
        var hive = Path.Join(packages.Folder, $"hive-{template}");
        await DotnetCommand.SdkAsync(folder, "new", "install", Path.Join(packages.Feed, $"Postrider.Templates.{PackedPackages.Version}.nupkg"), "--debug:custom-hive", hive);
        await DotnetCommand.SdkAsync(folder, "new", $"postrider-{template}", "-n", name, "-o", folder, "--debug:custom-hive", hive);
        await DotnetCommand.SdkAsync(folder, "build", "-c", "Release", "-o", Path.Join(folder, "out"), "-warnaserror", "-p:NuGetAudit=false", "-nologo", "-v", "q");
        return Path.Join(folder, "out", name);
    }

    [GeneratedRegex("Greeting at (?<address>[0-9.:]+)\n")]
    private static partial Regex Address();

    [GeneratedRegex("Now listening on: (?<url>http://[0-9.:]+)")]
    private static partial Regex Listening();
}
