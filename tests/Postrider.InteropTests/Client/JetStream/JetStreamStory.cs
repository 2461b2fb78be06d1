using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;

namespace Postrider.InteropTests.Client.JetStream;

/// <summary>What every story about JetStream begins with: a client, its context and names that nobody else uses.</summary>
public abstract class JetStreamStory(IServerFixture fixture) : IAsyncLifetime
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);
    private static int _names;

    protected CancellationToken Ct { get; } = new CancellationTokenSource(Limit).Token;

    protected NatsClient Client { get; private set; } = null!;

    protected JetStreamContext Context { get; private set; } = null!;

    /// <summary>A name, and the first token of the subjects of whatever bears it.</summary>
    protected string Name { get; } = $"S{Interlocked.Increment(ref _names)}";

    public async ValueTask InitializeAsync()
    {
        Client = await fixture.ConnectAsync();
        Context = Client.CreateJetStreamContext();
    }

    public async ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        await Client.DisposeAsync();
    }

    /// <summary>A stream of <see cref="Name"/> that listens to everything below it.</summary>
    protected Task<JetStreamStream> StreamAsync(Func<StreamConfig, StreamConfig>? configure = null)
    {
        var config = new StreamConfig { Name = Name, Subjects = [$"{Name}.>"], Storage = StreamStorage.Memory };
        return Context.CreateStreamAsync(configure?.Invoke(config) ?? config, Ct);
    }

    protected async Task PublishAsync(int count, string subject = "n")
    {
        for (var i = 1; i <= count; i++) await Context.PublishAsync($"{Name}.{subject}", i, ct: Ct);
    }
}
