using System.Buffers;
using System.Globalization;
using Postrider.Client;
using Postrider.Client.Services;
using Postrider.Rpc.Codecs;
using Postrider.Serialization;

namespace Postrider.Rpc.Nats;

/// <summary>Calls one operation over NATS.</summary>
internal sealed class NatsInvoker<TRequest, TItem, TResponse>(
    NatsClient client, Operation<TRequest, TItem, TResponse> operation, RpcCodec codec, NatsChannelOptions options, CancellationToken closing) : OperationInvoker<TRequest, TItem, TResponse>
{
    private readonly string _subject = $"{operation.Service}.{operation.Name}";
    private readonly NatsBodySerializer<TRequest> _request = new(operation.RequestFormatter(codec).Serializer);
    private readonly RpcFormatter<TResponse> _response = operation.ResponseFormatter(codec);

    public override async ValueTask<TResponse> CallAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
    {
        if (items is not null)
            throw Unsupported();
        var time = CallTimeout.Start(operation.Path, context, options.Timeout);
        ct.ThrowIfCancellationRequested();
        if (closing.IsCancellationRequested)
            throw ChannelClosed.Failure();
        using var both = ct.CanBeCanceled ? CancellationTokenSource.CreateLinkedTokenSource(ct, closing) : null;
        var end = both?.Token ?? closing;
        try
        {
            if (operation.Kind == OperationKind.OneWay)
            {
                await client.PublishAsync(_subject, new NatsBody<TRequest>(request), null, Headers(context), _request, end).ConfigureAwait(false);
                return default!;
            }

            var reply = await client.RequestAsync<NatsBody<TRequest>, IMemoryOwner<byte>>(
                _subject, new(request), time, Headers(context), _request, null, end).ConfigureAwait(false);
            using var payload = reply.Data;
            return Read(reply.Headers, payload.Memory, context);
        }
        catch (OperationCanceledException cancelled)
        {
            throw ct.IsCancellationRequested ? new OperationCanceledException($"The call of {operation.Path} was cancelled.", cancelled, ct) : ChannelClosed.Failure();
        }
        catch (SerializerException unwritable)
        {
            throw CodecErrors.From(unwritable);
        }
        catch (NatsNoRespondersException error)
        {
            throw new RpcException(RpcStatus.Unavailable, $"No responders for {operation.Path}.", error) { IsUnsent = true };
        }
        catch (NatsClientException failure)
        {
            throw new RpcException(StatusOf(failure.Code), $"{operation.Path}: {failure.Message}", failure);
        }
    }

    public override IAsyncEnumerable<TResponse> StreamAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
        => throw Unsupported();

    private static RpcStatus StatusOf(NatsErrorCode code) => code switch
    {
        NatsErrorCode.RequestTimeout => RpcStatus.DeadlineExceeded,
        NatsErrorCode.PayloadTooLarge => RpcStatus.TooLarge,
        NatsErrorCode.PermissionDenied => RpcStatus.Forbidden,
        NatsErrorCode.AuthorizationFailed => RpcStatus.Unauthenticated,
        NatsErrorCode.InvalidArgument => RpcStatus.InvalidData,
        _ => RpcStatus.Unavailable,
    };

    private NatsHeaders Headers(CallContext? context)
    {
        var headers = new NatsHeaders { { NatsNames.ContentType, codec.ContentType } };
        if (CallTimeout.ToWire(context) is { } time)
            headers[NatsNames.Timeout] = Math.Ceiling(time.TotalMilliseconds).ToString(CultureInfo.InvariantCulture);
        NatsNames.Copy(context?.HeadersOrNull, headers);
        return headers;
    }

    private TResponse Read(NatsHeaders? headers, ReadOnlyMemory<byte> payload, CallContext? context)
    {
        if (context is not null)
            NatsNames.Copy(headers, context.ResponseHeaders);
        if (headers?[ServiceErrors.CodeHeader] is not { } code)
            return _response.Read(new ReadOnlySequence<byte>(payload));

        // A service of another framework sends only a code, usually an HTTP status.
        var status = Enum.TryParse<RpcStatus>(headers[NatsNames.Status], out var told) && told != RpcStatus.Ok ? told
            : int.TryParse(code, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? Http.HttpNames.FromHttp(number)
            : RpcStatus.Internal;
        throw new CallFailure(status, headers[ServiceErrors.Header] ?? "", headers[NatsNames.Fault], payload).ToException(operation, codec);
    }

    private RpcException Unsupported() => new(RpcStatus.Unsupported, $"{operation.Path} is a streaming operation.");
}
