using System.Reflection;
using System.Text.Json.Serialization;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Configuration;
using Postrider.Envelopes;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.UnitTests.Transports;

/// <summary>Headers that an application adds to messages, by a dispatcher or by a route.</summary>
public sealed class RouteHeadersTests
{
    private static readonly JsonSerializerProvider s_json = new(RouteHeadersJson.Default);

    [Theory]
    [InlineData("command")]
    [InlineData("request")]
    [InlineData("notification")]
    [InlineData("stream")]
    [InlineData("post")]
    [InlineData("later")]
    [InlineData("untyped")]
    public async Task Handler_reads_the_headers_of_the_dispatcher_and_of_the_route(string kind)
    {
        await using var fixture = await Fixture.StartAsync();

        await SendAsync(fixture.Near.WithHeaders(new Headers { { "tenant", "north" }, { "source", "test" } }), kind);

        Assert.Equal("tenant=north source=test region=eu", await fixture.Seen.Task.WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken));
    }

    [Theory]
    [InlineData("command")]
    [InlineData("request")]
    [InlineData("notification")]
    [InlineData("stream")]
    [InlineData("post")]
    [InlineData("untyped")]
    public async Task Handler_in_the_same_process_reads_them_too(string kind)
    {
        var seen = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var services = new ServiceCollection().AddSingleton(seen).AddPostrider().BuildServiceProvider();

        await SendAsync(services.GetRequiredService<IDispatcher>().WithHeaders(new Headers { { "tenant", "north" } }), kind);

        Assert.Equal("tenant=north source= region=", await seen.Task.WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task Headers_that_are_changed_later_are_not_those_that_were_given()
    {
        await using var fixture = await Fixture.StartAsync();
        var headers = new Headers { { "tenant", "north" } };
        var dispatcher = fixture.Near.WithHeaders(headers);
        headers["tenant"] = "south";

        await dispatcher.PublishAsync(new HeaderNews(), TestContext.Current.CancellationToken);

        Assert.Equal("tenant=north source=route region=eu", await fixture.Seen.Task.WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task Dispatcher_without_headers_sends_those_of_the_route()
    {
        await using var fixture = await Fixture.StartAsync();
        _ = fixture.Near.WithHeaders(new Headers { { "tenant", "north" } });

        await fixture.Near.PublishAsync(new HeaderNews(), TestContext.Current.CancellationToken);

        Assert.Equal("tenant= source=route region=eu", await fixture.Seen.Task.WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken));
    }

    public static TheoryData<string> Written =>
        [.. typeof(HeaderNames).GetFields(BindingFlags.Public | BindingFlags.Static).Select(static name => (string)name.GetRawConstantValue()!), "postrider-anything", "content-type"];

    [Theory]
    [MemberData(nameof(Written))]
    public void Header_that_Postrider_writes_is_rejected(string name)
    {
        using var services = new ServiceCollection().AddSingleton(new TaskCompletionSource<string>()).AddPostrider().BuildServiceProvider();
        var dispatcher = services.GetRequiredService<IDispatcher>();

        var error = Assert.Throws<ArgumentException>(() => dispatcher.WithHeaders(new Headers { { name, "x" } }));

        Assert.Contains($"Header '{name}' is written by Postrider; use another name.", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Route_with_a_header_that_Postrider_writes_is_rejected()
    {
        await using var transport = new InMemoryTransport();
        await using var services = new ServiceCollection().AddSingleton(new TaskCompletionSource<string>())
            .AddPostrider(options => options.RouteNotification<HeaderNews>(_ => transport, s_json, new SendTarget("news") { Headers = new Headers { { "Content-Type", "x" } } }))
            .BuildServiceProvider();

        var error = await Assert.ThrowsAsync<PostriderException>(async () => await services.GetRequiredService<IDispatcher>().PublishAsync(new HeaderNews(), TestContext.Current.CancellationToken));

        Assert.Equal(PostriderError.Configuration, error.Error);
        Assert.Contains("with headers that are not allowed: Header 'Content-Type' is written by Postrider; use another name.", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("tenant", "north", null)]
    [InlineData("Postrider-Key", "x", "Routes:HeaderNews:Headers cannot be sent. Header 'Postrider-Key' is written by Postrider; use another name.")]
    [InlineData("tenant", "a\nb", "Routes:HeaderNews:Headers:tenant is not a header. The value of header 'tenant' contains a line break. (Parameter 'value')")]
    public void Headers_of_a_route_are_read_from_the_configuration(string name, string value, string? problem)
    {
        var configuration = new ConfigurationBuilder().AddInMemoryCollection(new Dictionary<string, string?>
        {
            ["Routes:HeaderNews:Transport"] = "memory",
            ["Routes:HeaderNews:Destination"] = "news",
            [$"Routes:HeaderNews:Headers:{name}"] = value,
        }).Build();
        var services = new ServiceCollection().AddSingleton(new TaskCompletionSource<string>());

        var error = Record.Exception(() => services.AddPostrider(options => options.RouteFrom(configuration.GetSection("Routes"), messages => messages.Notification<HeaderNews>())));

        if (problem is null) Assert.Null(error);
        else Assert.Equal(problem, Assert.IsType<InvalidConfigurationException>(error).Message);
    }

    private static async Task SendAsync(IDispatcher dispatcher, string kind)
    {
        var ct = TestContext.Current.CancellationToken;
        switch (kind)
        {
            case "command":
                await dispatcher.SendAsync(new HeaderWork(), ct);
                break;
            case "request":
                Assert.Equal(7, await dispatcher.SendAsync(new HeaderQuestion(), ct));
                break;
            case "notification":
                await dispatcher.PublishAsync(new HeaderNews(), ct);
                break;
            case "stream":
                await foreach (var item in dispatcher.StreamAsync(new HeaderItems(), ct)) Assert.Equal(7, item);
                break;
            case "post":
                await dispatcher.PostAsync(new HeaderWork(), ct);
                break;
            case "later":
                await dispatcher.SendAsync(new HeaderWork(), TimeSpan.FromMilliseconds(1), ct);
                break;
            default:
                await dispatcher.SendAsync((object)new HeaderWork(), ct);
                break;
        }
    }

    private sealed class Fixture(ServiceProvider far, ServiceProvider near, MessagePump pump, InMemoryTransport transport) : IAsyncDisposable
    {
        public IDispatcher Near => near.GetRequiredService<IDispatcher>();

        public TaskCompletionSource<string> Seen => far.GetRequiredService<TaskCompletionSource<string>>();

        public static async Task<Fixture> StartAsync()
        {
            var transport = new InMemoryTransport();
            var far = new ServiceCollection().AddSingleton(new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously)).AddPostrider().BuildServiceProvider();
            var pump = new MessagePump(transport, s_json, far)
                .Command<HeaderWork>(new TransportBinding("work"))
                .Request<HeaderQuestion, int>(new TransportBinding("question"))
                .Notification<HeaderNews>(new TransportBinding("news"))
                .Stream<HeaderItems, int>(new TransportBinding("items"));
            await pump.StartAsync(TestContext.Current.CancellationToken);
            var near = new ServiceCollection().AddSingleton(new TaskCompletionSource<string>()).AddPostrider(options => options
                .Route<HeaderWork, Unit>(_ => transport, s_json, Target("work"))
                .Route<HeaderQuestion, int>(_ => transport, s_json, Target("question"))
                .RouteNotification<HeaderNews>(_ => transport, s_json, Target("news"))
                .RouteStream<HeaderItems, int>(_ => transport, s_json, Target("items"))).BuildServiceProvider();
            return new Fixture(far, near, pump, transport);
        }

        public async ValueTask DisposeAsync()
        {
            await near.DisposeAsync();
            await pump.DisposeAsync();
            await far.DisposeAsync();
            await transport.DisposeAsync();
        }

        private static SendTarget Target(string destination) => new(destination) { Headers = new Headers { { "source", "route" }, { "region", "eu" } } };
    }
}

internal sealed partial record HeaderWork : ICommand;

internal sealed partial record HeaderQuestion : IQuery<int>;

internal sealed partial record HeaderNews : INotification;

internal sealed partial record HeaderItems : IStreamRequest<int>;

internal static class HeaderHandlers
{
    [Handler]
    public static void Handle(HeaderWork work, MessageContext context, TaskCompletionSource<string> seen) => seen.TrySetResult(Describe(context));

    [Handler]
    public static int Handle(HeaderQuestion question, MessageContext context, TaskCompletionSource<string> seen)
    {
        seen.TrySetResult(Describe(context));
        return 7;
    }

    [Handler]
    public static void Handle(HeaderNews news, MessageContext context, TaskCompletionSource<string> seen) => seen.TrySetResult(Describe(context));

    [Handler]
    public static async IAsyncEnumerable<int> Handle(HeaderItems items, MessageContext context, TaskCompletionSource<string> seen)
    {
        seen.TrySetResult(Describe(context));
        await Task.CompletedTask;
        yield return 7;
    }

    private static string Describe(MessageContext context) => $"tenant={context.Headers["tenant"]} source={context.Headers["source"]} region={context.Headers["region"]}";
}

[JsonSerializable(typeof(HeaderWork))]
[JsonSerializable(typeof(HeaderQuestion))]
[JsonSerializable(typeof(HeaderNews))]
[JsonSerializable(typeof(HeaderItems))]
[JsonSerializable(typeof(int))]
internal sealed partial class RouteHeadersJson : JsonSerializerContext;
