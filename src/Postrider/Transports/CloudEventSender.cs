using Postrider.Envelopes;

namespace Postrider.Transports;

/// <summary>Sends messages as CloudEvents, and reads answers that are.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class CloudEventSender : ScopedMessageSender
{
    private readonly MessageSender _sender;
    private readonly ScopedMessageSender? _scoped;
    private readonly CloudEventWriter _events;

    internal CloudEventSender(ITransport transport, MessageSender sender, CloudEventOptions options)
        : base(transport, sender.Target)
        => (_sender, _scoped, _events) = (sender, sender as ScopedMessageSender, new(options, CloudEventNames.PrefixOf(transport.Name), TimeProvider));

    /// <inheritdoc/>
    public override long MaxBodyBytes => _sender.MaxBodyBytes;

    protected override ValueTask SendCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, IServiceProvider? services, CancellationToken ct)
    {
        var (written, data) = _events.Write(in properties, body);
        return _scoped is null ? _sender.SendAsync(in written, data, ct) : _scoped.SendAsync(in written, data, services, ct);
    }

    protected override ValueTask<Envelope> RequestCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
    {
        var (written, data) = _events.Write(in properties, body);
        return ReadAsync(_sender.RequestAsync(in written, data, ct));
    }

    private static async ValueTask<Envelope> ReadAsync(ValueTask<Envelope> asking)
    {
        var answer = await asking.ConfigureAwait(false);
        return answer.Headers[HeaderNames.Error] is null ? CloudEventReader.Read(answer) : answer;
    }
}
