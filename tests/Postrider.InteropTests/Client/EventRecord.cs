using System.Threading.Channels;
using Postrider.Client;

namespace Postrider.InteropTests.Client;

/// <summary>Waits for events of a client, in the order in which they come.</summary>
internal sealed class EventRecord
{
    private readonly Channel<ClientEvent> _events = Channel.CreateUnbounded<ClientEvent>();

    public EventRecord(NatsClient client) => client.EventOccurred += told => _events.Writer.TryWrite(told);

    public async Task<ClientEvent> AwaitAsync(ClientEventKind kind, CancellationToken ct)
    {
        while (true)
        {
            var told = await _events.Reader.ReadAsync(ct);
            if (told.Kind == kind) return told;
        }
    }
}
