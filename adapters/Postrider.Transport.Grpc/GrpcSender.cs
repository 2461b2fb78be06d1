using Grpc.Core;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Transport.Grpc;

/// <summary>Sends to a destination of an inbox; completes when the receipt has arrived.</summary>
internal sealed class GrpcSender : MessageSender
{
    private readonly GrpcConnection _connection;

    internal GrpcSender(GrpcTransport transport, GrpcConnection connection, SendTarget target)
        : base(transport, target)
    {
        if (target.Destination.Length == 0)
            throw new PostriderException(PostriderError.Configuration, "The destination is empty; it must be the name of a destination of the inbox.");
        _connection = connection;
        _ = connection.Address;
    }

    /// <inheritdoc/>
    public override long MaxBodyBytes => _connection.Options.Poison.MaxBodyBytes;

    /// <inheritdoc/>
    public override string? MaxBodyBytesSetting => $"Poison.MaxBodyBytes in {nameof(GrpcOptions)}";

    protected override TimeProvider TimeProvider => _connection.Time;

    protected override ValueTask SendCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
        => SendAsync(GrpcMessageMapping.ToMessage(Target.Destination, in properties, body), properties.Deadline, ct);

    protected override ValueTask<Envelope> RequestCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
        => RequestAsync(GrpcMessageMapping.ToMessage(Target.Destination, in properties, body), properties.Deadline, ct);

    protected override ValueTask<Envelope> CommandCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
    {
        var message = GrpcMessageMapping.ToMessage(Target.Destination, in properties, body);
        message.IsCommand = true;
        return RequestAsync(message, properties.Deadline, ct);
    }

    private async ValueTask SendAsync(Message message, DateTimeOffset? deadline, CancellationToken ct)
    {
        var (retry, policy) = (_connection.Options.Retry, _connection.Options.Retry.Policy);
        var end = TimestampAfter(retry.SendTimeout);
        var (begun, lost) = (0, 0);
        var pause = TimeSpan.Zero;
        while (true)
        {
            try
            {
                await _connection.CallAsync((client, options) => client.SendAsync(message, options), begun, deadline, ct).ConfigureAwait(false);
                return;
            }
            catch (RpcException failed) when (GrpcErrors.RetryAfter(failed) is { } delay)
            {
                // The receiver requests another attempt and sends the delay.
                begun++;
                pause = delay;
                if (!HasTime(end, pause))
                    throw new TimeoutException($"The message to '{Target.Destination}' was not handled in {begun} attempts within {retry.SendTimeout}: {failed.Status.Detail}", failed);
            }
            catch (RpcException failed) when (GrpcErrors.IsPassing(failed) && !_connection.IsDisposed && policy.TryPlan(failed, ++lost, pause, out pause) && HasTime(end, pause))
            {
                begun += GrpcErrors.MayHaveBegun(failed) ? 1 : 0;
            }
            catch (RpcException failed)
            {
                throw GrpcErrors.ToException(failed, Target.Destination, _connection.Address);
            }

            if (pause > TimeSpan.Zero)
                await Task.Delay(pause, TimeProvider, ct).ConfigureAwait(false);
        }
    }

    private long TimestampAfter(TimeSpan time) => TimeProvider.GetTimestamp() + (long)(time.TotalSeconds * TimeProvider.TimestampFrequency);

    private bool HasTime(long end, TimeSpan pause) => TimestampAfter(pause) < end;

    // A request is not repeated: whether its handler may run twice is the caller's decision. A command that could not be stored is: it has
    // not been handled, and if it was stored after all, it is delivered at least once like any other.
    private async ValueTask<Envelope> RequestAsync(Message message, DateTimeOffset? deadline, CancellationToken ct)
    {
        var retry = _connection.Options.Retry;
        var end = TimestampAfter(retry.SendTimeout);
        var pause = TimeSpan.Zero;
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                var answer = await _connection.CallAsync((client, options) => client.RequestAsync(message, options), previousAttempts: 0, deadline, ct).ConfigureAwait(false);
                return new Envelope { Destination = Target.Destination, Headers = GrpcMessageMapping.ToHeaders(answer), Body = answer.Body.Memory };
            }
            catch (RpcException failed) when (GrpcErrors.IsNotStored(failed) && !_connection.IsDisposed && retry.Policy.TryPlan(failed, attempt, pause, out pause) && HasTime(end, pause))
            {
            }
            catch (RpcException failed)
            {
                throw GrpcErrors.ToException(failed, Target.Destination, _connection.Address);
            }

            await Task.Delay(pause, TimeProvider, ct).ConfigureAwait(false);
        }
    }
}
