using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Broker;
using Postrider.Client.Hosting;
using Postrider.Client.JetStream.Models;
using Postrider.Serialization;
using Postrider.Transport.Nats;
using Postrider.Transports;

namespace Postrider.HostingTests.Mistakes;

/// <summary>Mistakes of configuration and registration, each with the message that ends the start. Those of single keys of the client and
/// of RPC channels are in <see cref="Client.ClientHostTests"/> and <see cref="Rpc.ChannelSettingsTests"/>, those of RabbitMQ, Kafka and the
/// outbox in RabbitMqStartTests, KafkaStartTests and OutboxStartTests of their projects.</summary>
public sealed class StartMistakeTests
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public static TheoryData<string> Names => [.. Mistake.All.Select(static mistake => mistake.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Start_ends_with_the_key_and_what_would_be_right(string name)
    {
        var mistake = Mistake.All.Single(mistake => mistake.Name == name);

        var failure = await StartAsync(mistake);

        Assert.NotNull(failure);
        // The sagas of other tests in this assembly lack their services as well.
        var lines = failure.Message.ReplaceLineEndings("\n").Split('\n').Where(static line => !line.StartsWith("Postrider.HostingTests.Sagas.", StringComparison.Ordinal));
        Assert.Equal(mistake.Lines, lines);
    }

    [Theory]
    [InlineData("guest", "guessed", "The NATS client did not connect: The server reported: Authorization Violation. Check Postrider:Client:User and Postrider:Client:Password.")]
    [InlineData("", "", "The NATS client did not connect: The server reported: Authorization Violation. The client has no user: set Postrider:Client:User and Postrider:Client:Password, or Postrider:Client:Token.")]
    public async Task Wrong_credentials_end_the_start(string user, string password, string message)
    {
        await using var broker = await NatsBroker.StartAsync(
            new BrokerOptions { Port = BrokerOptions.RandomPort, Authorization = new AuthorizationOptions { Users = [new UserOptions { Name = "guest", Password = "right" }] } }, Ct);

        var failure = await StartAsync(new("credentials", static builder => builder.AddPostriderClient(), new()
        {
            ["Postrider:Client:Servers"] = broker.Url,
            ["Postrider:Client:User"] = user,
            ["Postrider:Client:Password"] = password,
        }));

        Assert.Equal(message, failure?.Message);
    }

    [Fact]
    public async Task Missing_credentials_are_asked_for_by_their_key_and_their_option()
    {
        await using var broker = await NatsBroker.StartAsync(
            new BrokerOptions { Port = BrokerOptions.RandomPort, Authorization = new AuthorizationOptions { Users = [new UserOptions { Name = "UCWSBIKMCFZB3OESEEDDLP6GKSXDVRYILDZE6CD6ZXN2B5423VXW3YCH", IsNkey = true }] } }, Ct);

        var failure = await StartAsync(new("credentials", static builder => builder.AddPostriderClient(), new() { ["Postrider:Client:Servers"] = broker.Url }));

        Assert.Equal(
            $"The NATS client did not connect: The server {broker.EndPoint} asks for credentials such as an nkey or a JWT, and the client has none: set Postrider:Client:CredentialsFile or ClientOptions.Credentials. It reported: Authorization Violation.",
            failure?.Message);
    }

    [Theory]
    [InlineData(false, "orders.>", "The stream 'ORDERS' could not be provisioned: No responders on '$JS.API.STREAM.UPDATE.ORDERS': JetStream is not enabled on the server or for the account, or no server of the domain is reachable. Start the server with -js or with jetstream {} in its configuration, an embedded broker with BrokerOptions.JetStream set.")]
    [InlineData(true, "orders.>,orders.new", "The stream 'ORDERS' could not be provisioned: STREAM.UPDATE.ORDERS: subject \"orders.>\" overlaps with \"orders.new\" (err_code 10052, code 500)")]
    [InlineData(true, "a b", "The stream 'ORDERS' could not be provisioned: STREAM.UPDATE.ORDERS: invalid subject (err_code 10052, code 500)")]
    public async Task Stream_that_cannot_be_provisioned_ends_the_start(bool jetStream, string subjects, string message)
    {
        await using var broker = await NatsBroker.StartAsync(
            new BrokerOptions { Port = BrokerOptions.RandomPort, JetStream = jetStream ? new JetStreamOptions { StoreDirectory = Directory.CreateTempSubdirectory("mistakes").FullName } : null }, Ct);

        var failure = await StartAsync(new(
            "provisioning",
            builder => builder.AddPostriderClient().AddPostriderStreams(needed => needed.Stream(new StreamConfig { Name = "ORDERS", Subjects = subjects.Split(',') })),
            new() { ["Postrider:Client:Servers"] = broker.Url }));

        Assert.Equal(message, failure?.Message);
    }

    [Fact]
    public async Task User_that_may_not_create_streams_is_told_the_two_ways_out()
    {
        await using var broker = await NatsBroker.StartAsync(
            new BrokerOptions
            {
                Port = BrokerOptions.RandomPort,
                JetStream = new JetStreamOptions { StoreDirectory = Directory.CreateTempSubdirectory("mistakes").FullName },
                Authorization = new AuthorizationOptions { Users = [new UserOptions { Name = "desk", Password = "d", Permissions = new PermissionOptions { Publish = new SubjectPermission { Allow = ["orders.>"] } } }] },
            }, Ct);

        var failure = await StartAsync(new(
            "permission",
            static builder => builder.AddPostriderClient().AddPostriderStreams(static needed => needed.Stream(new StreamConfig { Name = "ORDERS", Subjects = ["orders.>"] })),
            new() { ["Postrider:Client:Servers"] = broker.Url, ["Postrider:Client:User"] = "desk", ["Postrider:Client:Password"] = "d" }));

        Assert.StartsWith("The stream 'ORDERS' could not be provisioned: ", failure?.Message, StringComparison.Ordinal);
        Assert.Contains("$JS.API.STREAM.", failure?.Message, StringComparison.Ordinal);
        Assert.EndsWith("The user of the client may not create it: give it the permission, or leave AddPostriderStreams out where the deployment creates streams.", failure?.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Stream_whose_subjects_another_one_has_names_it()
    {
        await using var broker = await StartStoringBrokerAsync();

        var failure = await StartAsync(new(
            "overlap",
            static builder => builder.AddPostriderClient().AddPostriderStreams(static needed => needed
                .Stream(new StreamConfig { Name = "OLD", Subjects = ["orders.*"] })
                .Stream(new StreamConfig { Name = "NEW", Subjects = ["shop.>", "orders.new"] })),
            new() { ["Postrider:Client:Servers"] = broker.Url }));

        Assert.EndsWith("subjects overlap with an existing stream (err_code 10065, code 400). It asks for 'shop.>', 'orders.new', and the stream 'OLD' already has subjects that overlap with 'orders.new'. Change the subjects of one of them.", failure?.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Server_with_an_unknown_authority_names_the_key_of_the_file()
    {
        using var certificates = new TestCertificates();
        await using var broker = await NatsBroker.StartAsync(
            new BrokerOptions { Port = BrokerOptions.RandomPort, Tls = new ServerTlsOptions { CertFile = certificates.ServerFile, KeyFile = certificates.ServerKeyFile } }, Ct);

        var failure = await StartAsync(new("tls", static builder => builder.AddPostriderClient(), new() { ["Postrider:Client:Servers"] = $"nats://localhost:{broker.EndPoint!.Port}" }));

        Assert.StartsWith($"The NATS client did not connect: The TLS handshake with localhost:{broker.EndPoint!.Port} failed: ", failure?.Message, StringComparison.Ordinal);
        Assert.EndsWith("This machine does not know the authority that has issued the server's certificate: set Postrider:Client:Tls:CaFile to the file of the authority.", failure?.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Durable_binding_without_a_stream_ends_the_start()
    {
        await using var broker = await StartStoringBrokerAsync();

        var failure = await StartAsync(new(
            "durable",
            builder =>
            {
                builder.AddPostriderClient();
                builder.Services.AddSingleton<Dispatch.RouteLog>().AddScoped<Dispatch.StreamScope>().AddPostrider(static _ => { });
                builder.Services.AddNatsTransport("work", new JsonSerializerProvider(Dispatch.RoutesJson.Default)).Command<Dispatch.Remind>(new DurableBinding("work.remind") { Consumer = "reminders" });
            },
            new() { ["Postrider:Client:Servers"] = broker.Url }));

        Assert.Equal("No stream has the subject 'work.remind': create one, in a host with AddPostriderStreams.", failure?.Message);
    }

    [Fact]
    public async Task Two_subjects_over_one_consumer_end_the_start()
    {
        await using var broker = await StartStoringBrokerAsync();

        var failure = await StartAsync(new(
            "consumer",
            static builder =>
            {
                builder.AddPostriderClient().AddPostriderStreams(static needed => needed.Stream(new StreamConfig { Name = "WORK", Subjects = ["work.>"] }));
                builder.Services.AddSingleton<Dispatch.RouteLog>().AddScoped<Dispatch.StreamScope>().AddPostrider(static _ => { });
                builder.Services.AddNatsTransport("work", new JsonSerializerProvider(Dispatch.RoutesJson.Default))
                    .Command<Dispatch.Remind>(new DurableBinding("work.remind") { Consumer = "desk" })
                    .Batch<Dispatch.PackParcel>(new DurableBinding("work.pack") { Consumer = "desk", MaxConcurrency = 200 });
            },
            new() { ["Postrider:Client:Servers"] = broker.Url }));

        Assert.Equal("The binding of 'work.pack' to consumer 'desk' is not valid: this process uses the consumer of the stream 'WORK' for 'work.remind' already; give each source a consumer of its own.", failure?.Message);
    }

    [Fact]
    public void Table_has_at_least_sixty_rows_of_different_names()
        => Assert.InRange(Mistake.All.Select(static mistake => mistake.Name).Distinct(StringComparer.Ordinal).Count(), 60, Mistake.All.Count);

    private static Task<NatsBroker> StartStoringBrokerAsync() => NatsBroker.StartAsync(
        new BrokerOptions { Port = BrokerOptions.RandomPort, JetStream = new JetStreamOptions { StoreDirectory = Directory.CreateTempSubdirectory("mistakes").FullName } }, Ct);

    private static async Task<Exception?> StartAsync(Mistake mistake)
    {
        try
        {
            var builder = Host.CreateEmptyApplicationBuilder(null);
            builder.Configuration.AddInMemoryCollection(mistake.Keys);
            mistake.Add(builder);
            using var host = builder.Build();
            await host.StartAsync(TestContext.Current.CancellationToken);
            await host.StopAsync(TestContext.Current.CancellationToken);
            return null;
        }
        catch (Exception failure)
        {
            return failure;
        }
    }
}
