using System.Text.Json;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Accounts;

/// <summary>Mirrors and sources of another account's streams: its API is imported, and so are the deliveries.</summary>
public sealed class ExternalSourceTests : IDisposable
{
    private const string Options = """
        accounts {
          A {
            jetstream: enabled, users: [{ user: a, password: a }]
            exports: [
              { service: "$JS.API.CONSUMER.>", response_type: stream }
              { service: "$JS.FC.>" }
              { stream: "to.b.>" }
            ]
          }
          B {
            jetstream: enabled, users: [{ user: b, password: b }]
            imports: [
              { service: { account: A, subject: "$JS.API.CONSUMER.>" }, to: "a.api.CONSUMER.>" }
              { service: { account: A, subject: "$JS.FC.>" } }
              { stream: { account: A, subject: "to.b.>" } }
            ]
          }
        }
        """;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-external-");
    private readonly CancellationTokenSource _end = new(TimeSpan.FromSeconds(90));

    public static TheoryData<ServerKind> Kinds => [.. Enum.GetValues<ServerKind>()];

    private CancellationToken Ct => _end.Token;

    public void Dispose()
    {
        _end.Dispose();
        _folder.Delete(recursive: true);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Stream_of_another_account_is_mirrored_and_sourced_over_imports(ServerKind kind)
    {
        await using var server = await StartAsync(kind);
        await using var a = await ConnectAsync(server, "a");
        await using var b = await ConnectAsync(server, "b");
        var origin = await a.Streams.CreateStreamAsync(new StreamConfig { Name = "ORDERS", Subjects = ["orders.>"] }, Ct);
        for (var i = 0; i < 100; i++) await a.Streams.PublishAsync($"orders.{i % 3}", $"{i}", ct: Ct);

        var external = new ExternalStream { ApiPrefix = "a.api", DeliverPrefix = "to.b" };
        var mirror = await b.Streams.CreateStreamAsync(new StreamConfig { Name = "MIRROR", Mirror = new StreamSource { Name = "ORDERS", External = external } }, Ct);
        var gathered = await b.Streams.CreateStreamAsync(new StreamConfig { Name = "GATHERED", Sources = [new StreamSource { Name = "ORDERS", External = external }] }, Ct);
        for (var i = 100; i < 200; i++) await a.Streams.PublishAsync($"orders.{i % 3}", $"{i}", ct: Ct);

        foreach (var copy in new[] { mirror, gathered })
        {
            await Eventually.HoldsAsync(async () => (await copy.RefreshAsync(ct: Ct)).State.Messages == 200);
            foreach (var sequence in new ulong[] { 1, 101, 200 })
            {
                var (one, other) = (await origin.GetMessageAsync<string>(sequence, ct: Ct), await copy.GetMessageAsync<string>(sequence, ct: Ct));
                Assert.Equal((one!.Subject, one.Data), (other!.Subject, other.Data));
            }
        }
        Assert.Null((await mirror.RefreshAsync(ct: Ct)).Mirror!.Error);
    }

    [Theory]
    [InlineData("""{"name":"X","mirror":{"name":"O","external":{"api":"$JS.API","deliver":"q"}}}""")]
    [InlineData("""{"name":"X","mirror":{"name":"O","external":{"api":"p.*","deliver":"q"}}}""")]
    [InlineData("""{"name":"X","mirror":{"name":"O","external":{"api":"p","deliver":"q.>"}}}""")]
    [InlineData("""{"name":"X","mirror":{"name":"O","external":{"api":"p","deliver":" "}}}""")]
    [InlineData("""{"name":"X","sources":[{"name":"O","external":{"api":"$JS.>","deliver":"q"}}]}""")]
    [InlineData("""{"name":"X","sources":[{"name":"O","external":{"api":"p","deliver":"q"}},{"name":"O","external":{"api":"p","deliver":"r"}}]}""")]
    [InlineData("""{"name":"X","sources":[{"name":"O","external":{"api":"p","deliver":"q"},"consumer":{"name":"c"}}]}""")]
    [InlineData("""{"name":"X","sources":[{"name":"O","consumer":{"name":"c","deliver_subject":"d.*"}}]}""")]
    [InlineData("""{"name":"X","sources":[{"name":"O","opt_start_seq":5,"consumer":{"name":"c","deliver_subject":"d"}}]}""")]
    [InlineData("""{"name":"X","sources":[{"name":"O","consumer":{"name":"c","deliver_subject":"d"}},{"name":"O","consumer":{"name":"c","deliver_subject":"e"}}]}""")]
    [InlineData("""{"name":"X","sources":[{"name":"O.x","external":{"api":"p","deliver":"q"}}]}""")]
    public async Task Mistake_is_refused_in_the_same_words(string config)
    {
        var answers = new List<string>();
        foreach (var kind in Enum.GetValues<ServerKind>())
        {
            await using var server = await StartAsync(kind);
            await using var b = await ConnectAsync(server, "b");
            var reply = await b.Client.RequestAsync<string, string>("$JS.API.STREAM.CREATE.X", config, ct: Ct);
            var error = JsonDocument.Parse(reply.Data!).RootElement.GetProperty("error");
            answers.Add(string.Join(' ', error.EnumerateObject().Select(static one => one.Value.ToString())));
        }

        Assert.Equal(answers[0], answers[1]);
    }

    private Task<ServerProcess> StartAsync(ServerKind kind) => ServerProcess.StartAsync(
        kind, "-c", ServerProcess.WriteConfiguration($"server_name: one\njetstream {{ store_dir: \"{Path.Combine(_folder.FullName, kind.ToString())}\" }}\n{Options}\n"));

    private static async Task<Connection> ConnectAsync(ServerProcess server, string user)
        => new(await NatsClient.ConnectAsync(server.Url, options => (options.User, options.Password) = (user, user)));

    private sealed record Connection(NatsClient Client) : IAsyncDisposable
    {
        public JetStreamContext Streams { get; } = Client.CreateJetStreamContext();

        public ValueTask DisposeAsync() => Client.DisposeAsync();
    }
}
