using System.Text;
using System.Threading.Channels;
using Postrider.Envelopes;
using Postrider.Transports;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Contract;

/// <summary>What the cases of the contract share. A case that an ability of the transport rules out proves that the ability is off and
/// that asking for it is refused, or what happens instead.</summary>
public abstract class TransportCases(TransportHarness harness)
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(45);

    protected CancellationToken Ct { get; } = new CancellationTokenSource(s_limit).Token;

    protected TransportHarness Harness => harness;

    protected ITransport Transport => harness.Transport;

    protected bool Has(TransportAbilities ability) => Transport.Abilities.HasFlag(ability);

    protected static string Text(Envelope envelope) => Encoding.UTF8.GetString(envelope.Body.Span);

    protected static Envelope Message(string destination, string body, Headers? headers = null)
        => new() { Destination = destination, Headers = headers ?? [], Body = Encoding.UTF8.GetBytes(body) };

    protected ValueTask SendAsync(string destination, string body) => Transport.SendAsync(Message(destination, body), Ct);

    /// <summary>A destination with a place for its messages.</summary>
    protected async Task<string> NewDestinationAsync()
    {
        var name = harness.NewDestination();
        await harness.CreateAsync(name);
        return name;
    }

    /// <summary>A destination, and what keeps its dead letters.</summary>
    protected async Task<(string Destination, string DeadLetters)> NewDestinationWithDeadLettersAsync()
    {
        var destination = await NewDestinationAsync();
        return (destination, await harness.CreateDeadLetterAsync(destination));
    }

    /// <summary>Listens, and collects what arrives.</summary>
    /// <param name="binding">The binding.</param>
    /// <param name="handle">Called before a message is collected; what it throws fails the message.</param>
    protected async Task<Arrivals> ListenAsync(TransportBinding binding, Func<Envelope, Task>? handle = null)
    {
        var arrived = Channel.CreateUnbounded<Envelope>();
        var listener = await Transport.ListenAsync(
            binding,
            async (envelope, _) =>
            {
                try
                {
                    if (handle is not null)
                        await handle(envelope);
                }
                finally
                {
                    arrived.Writer.TryWrite(new Envelope { Destination = envelope.Destination, Headers = envelope.Headers, Body = envelope.Body.ToArray(), Delivery = envelope.Delivery });
                }

                return null;
            },
            Ct);
        return new(listener, arrived.Reader, Ct);
    }

    /// <summary>A listener and what it has received.</summary>
    protected sealed class Arrivals(IAsyncDisposable listener, ChannelReader<Envelope> arrived, CancellationToken ct) : IAsyncDisposable
    {
        public async Task<Envelope> NextAsync() => await arrived.ReadAsync(ct);

        public async Task<List<Envelope>> TakeAsync(int count)
        {
            var taken = new List<Envelope>();
            while (taken.Count < count)
                taken.Add(await arrived.ReadAsync(ct));
            return taken;
        }

        public bool TryNext([System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out Envelope? next) => arrived.TryRead(out next);

        public bool HasMore => arrived.TryPeek(out _);

        public ValueTask DisposeAsync() => listener.DisposeAsync();
    }
}
