using Postrider.Envelopes;

namespace Postrider.Transports;

/// <summary>Sends messages in another system's form, and reads replies in it.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class FormatSender : ScopedMessageSender
{
    private readonly MessageSender _sender;
    private readonly ScopedMessageSender? _scoped;
    private readonly EnvelopeFormat _format;

    internal FormatSender(ITransport transport, MessageSender sender, EnvelopeFormat format)
        : base(transport, sender.Target)
        => (_sender, _scoped, _format) = (sender, sender as ScopedMessageSender, format);

    /// <inheritdoc/>
    public override long MaxBodyBytes => _sender.MaxBodyBytes;

    /// <inheritdoc/>
    public override string? MaxBodyBytesSetting => _sender.MaxBodyBytesSetting;

    /// <inheritdoc/>
    public override TimeSpan MaxDelay => _sender.MaxDelay;

    protected override ValueTask SendCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, IServiceProvider? services, CancellationToken ct)
    {
        var (written, data) = _format.Write(in properties, body);
        return _scoped is null ? _sender.SendAsync(in written, data, ct) : _scoped.SendAsync(in written, data, services, ct);
    }

    protected override ValueTask<Envelope> RequestCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
    {
        var (written, data) = _format.Write(in properties, body);
        return ReadAsync(_sender.RequestAsync(in written, data, ct));
    }

    protected override ValueTask<Envelope> CommandCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
    {
        var (written, data) = _format.Write(in properties, body);
        return ReadAsync(_sender.CommandAsync(in written, data, ct));
    }

    private async ValueTask<Envelope> ReadAsync(ValueTask<Envelope> asking)
    {
        var answer = await asking.ConfigureAwait(false);
        return answer.Headers[HeaderNames.Error] is null ? _format.Read(answer) : answer;
    }
}
