using System.Runtime.InteropServices;
using System.Xml.Linq;

namespace Postrider.SystemTests.Packages;

/// <summary>Programs of users, from the packages alone and with the usings that the guides say.</summary>
[Collection(nameof(RepositoryBuilds))]
public sealed class UserProgramTests(PackedPackages packages)
{
    private const string Embedded = """
        using Postrider.Broker;
        using Postrider.Client;

        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false });
        await using var client = await NatsClient.ConnectAsync(new ClientOptions { Connector = broker.Connector });

        await using var greetings = client.Subscribe<string>("greetings.*");
        await client.PublishAsync("greetings.world", "hello");
        Console.WriteLine((await greetings.ReadAsync()).Data);
        """;

    [Fact]
    public async Task Console_embeds_the_broker_with_two_usings()
        => Assert.Equal("hello", await RunAsync(await packages.UserProjectAsync("embedded", Embedded, ["Postrider.Broker", "Postrider.Client"]), "embedded"));

    [Fact]
    public async Task Console_runs_a_flow_with_one_using()
    {
        var user = await packages.UserProjectAsync("flowing", """
            using Postrider.Flow;

            var lengths = await new[] { "a", "bb", "ccc" }.SelectParallelAsync(
                async (text, ct) =>
                {
                    await Task.Yield();
                    return text.Length;
                },
                new FlowOptions { MaxConcurrency = 2 });
            Console.WriteLine(string.Join(' ', lengths));
            """, ["Postrider.Flow"]);

        Assert.Equal("1 2 3", await RunAsync(user, "flowing"));
    }

    [Fact]
    public async Task Tests_of_an_application_run_its_routes_in_memory()
    {
        var user = await packages.UserProjectAsync("tests", """
            using Microsoft.Extensions.DependencyInjection;
            using Microsoft.Extensions.Hosting;
            using Postrider;
            using Postrider.Serialization;
            using Postrider.Testing;
            using Postrider.Transports;
            using System.Text.Json.Serialization;
            using Xunit;

            namespace Shop.Tests;

            public sealed partial record OrderPlaced(string Item) : INotification;

            [JsonSerializable(typeof(OrderPlaced))]
            internal sealed partial class Messages : JsonSerializerContext;

            internal static class Packing
            {
                public static List<string> Packed { get; } = [];

                [Handler]
                public static void On(OrderPlaced placed) => Packed.Add(placed.Item);
            }

            public sealed class OrderTests
            {
                [Fact]
                public async Task Order_is_packed()
                {
                    var json = new JsonSerializerProvider(Messages.Default);
                    var builder = Host.CreateApplicationBuilder();
                    builder.Services.AddPostrider(options => options.RouteNotification<OrderPlaced>("orders", json, "orders.placed"));
                    builder.Services.AddPostriderTransport("orders", _ => new InMemoryTransport(), json).Notification<OrderPlaced>(new AtLeastOnceBinding("orders.placed"));
                    builder.Services.AddPostriderTestHarness();
                    using var host = builder.Build();
                    await host.StartAsync(TestContext.Current.CancellationToken);
                    var harness = host.Services.GetRequiredService<TestHarness>();

                    await host.Services.GetRequiredService<IDispatcher>().PublishAsync(new OrderPlaced("tea"), TestContext.Current.CancellationToken);
                    await harness.IdleAsync(TestContext.Current.CancellationToken);

                    Assert.Equal("orders.placed", Assert.Single(harness.Sent).Destination);
                    Assert.Equal(["tea"], Packing.Packed);
                }
            }
            """, ["Postrider.Testing", $"xunit.v3/{XunitVersion()}"], "<TestingPlatformDotnetTestSupport>true</TestingPlatformDotnetTestSupport>");

        var said = await RunAsync(user, "tests");

        Assert.Contains("Total: 1, Errors: 0, Failed: 0", said, StringComparison.Ordinal);
    }

    // A warning of the trimmer or of the native compiler is an error of the publish.
    [Fact]
    public async Task Native_program_embeds_the_broker()
    {
        var user = await packages.UserProjectAsync("native", Embedded, ["Postrider.Broker", "Postrider.Client"], "<PublishAot>true</PublishAot><LinkerFlavor>lld</LinkerFlavor><InvariantGlobalization>true</InvariantGlobalization>");

        await DotnetCommand.SdkAsync(user, "publish", "-c", "Release", "-r", RuntimeInformation.RuntimeIdentifier, "-o", "out", "-warnaserror", "-nologo", "-v", "q");
        var (exitCode, output) = await DotnetCommand.RunAsync(user, Path.Join(user, "out", "native"));

        Assert.Equal((0, "hello"), (exitCode, output.Trim()));
        Assert.False(File.Exists(Path.Join(user, "out", "native.dll")));
        var compiler = Directory.EnumerateFiles(Path.Join(user, "obj"), "native.ilc.rsp", SearchOption.AllDirectories).Single();
        Assert.Contains(await File.ReadAllLinesAsync(compiler, TestContext.Current.CancellationToken), static line => line.StartsWith("--mibc:", StringComparison.Ordinal) && line.EndsWith("Postrider.Broker.mibc", StringComparison.Ordinal));
    }

    private static async Task<string> RunAsync(string folder, string name)
    {
        await DotnetCommand.SdkAsync(folder, "build", "-c", "Release", "-o", "out", "-warnaserror", "-nologo", "-v", "q");
        var (exitCode, output) = await DotnetCommand.RunAsync(folder, Path.Join(folder, "out", name));
        Assert.True(exitCode == 0, output);
        return output.Trim();
    }

    private static string XunitVersion() => XDocument.Load(Checkout.PathOf("Directory.Packages.props")).Descendants("PackageVersion")
        .Single(static version => version.Attribute("Include")!.Value == "xunit.v3").Attribute("Version")!.Value;
}
