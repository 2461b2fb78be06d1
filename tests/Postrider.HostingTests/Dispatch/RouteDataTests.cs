using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Configuration;
using Postrider.Dispatch;
using Postrider.Envelopes;
using Postrider.Serialization;
using Postrider.Testing;
using Postrider.Transports;

namespace Postrider.HostingTests.Dispatch;

/// <summary>Routes by attribute and configuration, the table of routes, messages that are sent later, and posts that leave.</summary>
public sealed class RouteDataTests
{
    private const string Prefix = "Postrider.HostingTests.Dispatch.";

    private static readonly JsonSerializerProvider Json = new(RoutesJson.Default);

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    /// <summary>Keys below Postrider:Routes, a message, and where it goes; empty for nowhere.</summary>
    public static TheoryData<string, Type, string> Chosen => new()
    {
        { "", typeof(PackParcel), "work work.pack [RouteTo] of Postrider.HostingTests.Dispatch.PackParcel" },
        { "", typeof(Remind), "" },
        { "Remind:Transport=work;Remind:Destination=work.remind", typeof(Remind), "work work.remind Postrider:Routes:Remind" },
        { "Postrider.HostingTests.Dispatch.Remind:Transport=work;Postrider.HostingTests.Dispatch.Remind:Destination=work.remind", typeof(Remind), "work work.remind Postrider:Routes:Postrider.HostingTests.Dispatch.Remind" },
        { "PackParcel:Transport=events;PackParcel:Destination=packing", typeof(PackParcel), "events packing Postrider:Routes:PackParcel" },
        { "Postrider.*:Transport=work;Postrider.*:Destination=all.{name}", typeof(Remind), "work all.Remind Postrider:Routes:Postrider.*" },
        { "Postrider.*:Transport=work;Postrider.*:Destination=all.{name}", typeof(PackParcel), "work all.PackParcel Postrider:Routes:Postrider.*" },
        { "*.Dispatch.*Parcel:Transport=work;*.Dispatch.*Parcel:Destination=p", typeof(PackParcel), "work p Postrider:Routes:*.Dispatch.*Parcel" },
        { "*Packed:Transport=events;*Packed:Destination=packed", typeof(ParcelPacked), "events packed Postrider:Routes:*Packed" },
        { "*Packed:Transport=events;*Packed:Destination=packed", typeof(Remind), "" },
        { "*:Transport=work;*:Destination=all;Remind:Transport=events;Remind:Destination=own", typeof(Remind), "events own Postrider:Routes:Remind" },
        { "CountTo:Transport=work;CountTo:Destination=count", typeof(CountTo), "work count Postrider:Routes:CountTo" },
    };

    [Theory]
    [MemberData(nameof(Chosen))]
    public void Configuration_comes_before_the_attribute_and_a_name_before_a_pattern(string keys, Type message, string way)
    {
        ArgumentNullException.ThrowIfNull(message);
        using var host = Build(keys);

        var route = host.Services.GetRequiredService<IRouteTable>().Routes.SingleOrDefault(route => route.Message == message.FullName);

        Assert.Equal(way, route is null ? "" : $"{route.Transport} {route.Destination} {route.Source}");
    }

    [Fact]
    public async Task Configured_route_carries_its_options_and_the_message()
    {
        using var host = Build("Remind:Transport=work;Remind:Destination=work.remind;Remind:TimeToLive=1h;Remind:Delay=5m", harness: true);
        await host.StartAsync(Ct);

        await host.Services.GetRequiredService<IDispatcher>().SendAsync(new Remind("tea"), Ct);
        var sent = Assert.Single(host.Services.GetRequiredService<TestHarness>().Sent);

        Assert.Equal(("work.remind", TimeSpan.FromMinutes(5)), (sent.Destination, sent.Delay));
        Assert.NotNull(sent.Headers[HeaderNames.ExpiresAt]);
        Assert.Equal("{\"text\":\"tea\"}", System.Text.Encoding.UTF8.GetString(sent.Body.Span));
        await host.StopAsync(Ct);
    }

    [Fact]
    public void Table_lists_every_route_with_its_source()
    {
        using var host = Build("Remind:Transport=work;Remind:Destination=work.remind;Remind:TimeToLive=1h", options => options.RouteNotification<ParcelPacked>("events", Json, "packed"), list: messages => messages.Command<PackParcel>().Command<Remind>());

        Assert.Equal(
            [
                new RouteDescription(Prefix + "PackParcel", "command", "work", "work.pack", null, TimeSpan.Zero, "[RouteTo] of Postrider.HostingTests.Dispatch.PackParcel"),
                new RouteDescription(Prefix + "ParcelPacked", "notification", "events", "packed", null, TimeSpan.Zero, "RouteNotification"),
                new RouteDescription(Prefix + "Remind", "command", "work", "work.remind", TimeSpan.FromHours(1), TimeSpan.Zero, "Postrider:Routes:Remind"),
            ],
            host.Services.GetRequiredService<IRouteTable>().Routes);
    }

    [Theory]
    [InlineData(typeof(Remind), "Every command Postrider.HostingTests.Dispatch.Remind is sent over the transport 'work' to 'work.remind', by Postrider:Routes:Remind. Those that arrive through a binding go to Postrider.HostingTests.Dispatch.RemindHandlers.On.")]
    [InlineData(typeof(PackParcel), "Every command Postrider.HostingTests.Dispatch.PackParcel is sent over the transport 'work' to 'work.pack', by [RouteTo] of Postrider.HostingTests.Dispatch.PackParcel. This container has no handler for it; one that arrives through a binding is passed on along the route.")]
    [InlineData(typeof(CountTo), "Postrider.HostingTests.Dispatch.CountTo is not routed: it is handled in this process by Postrider.HostingTests.Dispatch.CountHandler.")]
    [InlineData(typeof(ParcelPacked), "Postrider.HostingTests.Dispatch.ParcelPacked is not routed: it is handled in this process by Postrider.HostingTests.Dispatch.RemindHandlers.On.")]
    [InlineData(typeof(Unlisted), "Postrider.HostingTests.Dispatch.Unlisted is not routed and has no handler in this container: publishing it does nothing.")]
    [InlineData(typeof(Orphan), "Postrider.HostingTests.Dispatch.Orphan is not routed and has no handler in this container: sending it fails with NoHandler.")]
    public void Table_explains_where_a_message_goes(Type message, string explanation)
    {
        using var host = Build("Remind:Transport=work;Remind:Destination=work.remind");

        Assert.Equal(explanation, host.Services.GetRequiredService<IRouteTable>().Explain(message));
    }

    [Fact]
    public void Table_explains_every_message_that_it_or_the_handler_map_lists_by_its_name()
    {
        using var host = Build("Remind:Transport=work;Remind:Destination=work.remind");
        var table = host.Services.GetRequiredService<IRouteTable>();

        var explained = host.Services.GetRequiredService<IHandlerMap>().Messages.Select(static message => message.Message).Concat(table.Routes.Select(static route => route.Message)).Select(table.Explain).ToList();

        Assert.All(explained, static sentence => Assert.EndsWith(".", sentence, StringComparison.Ordinal));
        Assert.Equal(table.Explain(typeof(Remind)), table.Explain(Prefix + "Remind"));
        Assert.StartsWith("There is no message 'Postrider.Nothing' in this container", Assert.Throws<ArgumentException>(() => table.Explain("Postrider.Nothing")).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Attribute_alone_routes_and_a_message_without_it_is_refused()
    {
        using var host = Build("", options => options.RouteByAttribute(static messages => messages.Command<PackParcel>()), list: static _ => { });
        Assert.Equal("work.pack", Assert.Single(host.Services.GetRequiredService<IRouteTable>().Routes).Destination);

        var failure = Assert.Throws<PostriderException>(() => Build("", options => options.RouteByAttribute(static messages => messages.Command<Remind>()), list: static _ => { }));
        Assert.Equal($"{Prefix}Remind has no [RouteTo(transport, destination)]: add the attribute, or remove the message from RouteByAttribute.", failure.Message);
    }

    [Fact]
    public async Task Handler_sends_a_message_for_later_with_the_correlation_of_its_own()
    {
        using var host = Build("Remind:Transport=work;Remind:Destination=work.remind", harness: true, bind: true);
        await host.StartAsync(Ct);
        var harness = host.Services.GetRequiredService<TestHarness>();
        var log = host.Services.GetRequiredService<RouteLog>();

        await harness.DeliverAsync("work", "work.packed", new ParcelPacked("p-1"), Json, new MessageProperties { MessageId = "m-1", CorrelationId = "c-1" });
        await harness.IdleAsync(Ct);
        Assert.Empty(log.Reminders);
        await harness.AdvanceAsync(TimeSpan.FromMinutes(5), Ct);

        var (text, correlation, cause) = Assert.Single(log.Reminders);
        Assert.Equal(("Send p-1", "c-1"), (text, correlation));
        Assert.NotNull(cause);
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Message_for_a_time_waits_until_then_and_one_for_the_past_leaves_at_once()
    {
        using var host = Build("Remind:Transport=work;Remind:Destination=work.remind;ParcelPacked:Transport=events;ParcelPacked:Destination=packed", harness: true);
        await host.StartAsync(Ct);
        var harness = host.Services.GetRequiredService<TestHarness>();
        var dispatcher = host.Services.GetRequiredService<IDispatcher>();

        await dispatcher.SendAsync(new Remind("later"), harness.Time.GetUtcNow() + TimeSpan.FromDays(1), Ct);
        await dispatcher.SendAsync(new Remind("late"), harness.Time.GetUtcNow() - TimeSpan.FromDays(1), Ct);
        await dispatcher.PublishAsync(new ParcelPacked("p-1"), TimeSpan.FromHours(1), Ct);
        await dispatcher.PublishAsync(new ParcelPacked("p-2"), harness.Time.GetUtcNow() + TimeSpan.FromHours(2), Ct);

        Assert.Equal(
            [("work.remind", TimeSpan.FromDays(1)), ("work.remind", TimeSpan.Zero), ("packed", TimeSpan.FromHours(1)), ("packed", TimeSpan.FromHours(2))],
            harness.Sent.Select(static sent => (sent.Destination, sent.Delay)));
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Message_for_later_needs_a_route()
    {
        using var host = Build("");

        var failure = await Assert.ThrowsAsync<PostriderException>(async () => await host.Services.GetRequiredService<IDispatcher>().SendAsync(new Remind("later"), TimeSpan.FromMinutes(1), Ct));

        Assert.Equal($"{Prefix}Remind is not routed, so it cannot be sent later: route it with Route or RouteNotification in AddPostrider.", failure.Message);
    }

    [Fact]
    public async Task Negative_delay_is_refused()
    {
        using var host = Build("Remind:Transport=work;Remind:Destination=work.remind");

        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(async () => await host.Services.GetRequiredService<IDispatcher>().SendAsync(new Remind("later"), TimeSpan.FromMinutes(-1), Ct));
    }

    [Fact]
    public async Task Message_that_is_posted_leaves_along_its_route()
    {
        using var host = Build("Remind:Transport=work;Remind:Destination=work.remind;ParcelPacked:Transport=events;ParcelPacked:Destination=packed", harness: true);
        await host.StartAsync(Ct);
        var harness = host.Services.GetRequiredService<TestHarness>();
        var dispatcher = ((DispatcherCore)host.Services.GetRequiredService<PipelineTable>().Root).From(new CallOrigin { CorrelationId = "c-1", CausationId = "m-1" });

        await dispatcher.PostAsync(new Remind("tea"), Ct);
        await dispatcher.PostAsync(new ParcelPacked("p-1"), Ct);
        await harness.IdleAsync(Ct);

        Assert.Equal(["work.remind", "packed"], harness.Sent.Select(static sent => sent.Destination));
        Assert.All(harness.Sent, static sent => Assert.Equal(("c-1", "m-1"), (sent.Headers[HeaderNames.CorrelationId], sent.Headers[HeaderNames.CausationId])));
        await host.StopAsync(Ct);
    }

    private static IHost Build(
        string keys, Action<DispatchOptions>? configure = null, Action<RoutableMessages>? list = null, bool harness = false, bool bind = false)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection(keys.Split(';', StringSplitOptions.RemoveEmptyEntries).Select(static pair => pair.Split('='))
            .Select(static pair => KeyValuePair.Create($"Postrider:Routes:{pair[0]}", (string?)pair[1])));
        builder.Services.AddSingleton<RouteLog>().AddScoped<StreamScope>().AddPostrider(options =>
        {
            options.RouteFrom(builder.Configuration.GetSection("Postrider:Routes"), list ?? (static messages => messages.Command<PackParcel>().Command<Remind>().Notification<ParcelPacked>().Stream<CountTo, Number>()));
            configure?.Invoke(options);
        });
        var work = builder.Services.AddPostriderTransport("work", static _ => new InMemoryTransport(), Json);
        builder.Services.AddPostriderTransport("events", static _ => new InMemoryTransport(), Json);
        if (bind)
            work.Notification<ParcelPacked>(new TransportBinding("work.packed")).Command<Remind>(new TransportBinding("work.remind"));
        if (harness)
            builder.Services.AddPostriderTestHarness();
        return builder.Build();
    }
}
