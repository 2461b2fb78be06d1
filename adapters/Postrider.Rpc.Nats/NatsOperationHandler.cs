using System.Buffers;
using System.Globalization;
using Postrider.Client;
using Postrider.Client.Services;
using Postrider.Client.Sessions;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Operations;
using Postrider.Serialization;

namespace Postrider.Rpc.Nats;

/// <summary>Handles the requests of an operation that returns one message or nothing.</summary>
internal sealed class NatsOperationHandler<TRequest, TItem, TResponse>
{
    private readonly OperationEndpoint<TRequest, TItem, TResponse> _endpoint;
    private readonly List<OperationBinding<TRequest, TItem, TResponse>> _bindings;
    private readonly Dictionary<OperationBinding<TRequest, TItem, TResponse>, NatsBodySerializer<TResponse>> _responses;
    private readonly NatsServiceOptions _options;

    public NatsOperationHandler(OperationEndpoint<TRequest, TItem, TResponse> endpoint, IReadOnlyList<RpcCodec> codecs, NatsServiceOptions options)
    {
        (_endpoint, _options) = (endpoint, options);
        _bindings = [.. codecs.Select(codec => new OperationBinding<TRequest, TItem, TResponse>(endpoint.Contract, codec))];
        _responses = _bindings.ToDictionary(static binding => binding, static binding => new NatsBodySerializer<TResponse>(binding.Response.Serializer));
    }

    private Operation Operation => _endpoint.Contract;

    /// <summary>Handles a request.</summary>
    /// <returns>The error for the service's statistics; null for none.</returns>
    public async ValueTask<string?> HandleAsync(NatsMessage<IMemoryOwner<byte>> message, CancellationToken stop)
    {
        using var payload = message.Data;
        var type = message.Headers?[NatsNames.ContentType];
        var binding = type is null ? _bindings[0] : OperationBinding<TRequest, TItem, TResponse>.Find(_bindings, type);
        CallContext? context = null;
        try
        {
            if (binding is null)
                throw new RpcException(RpcStatus.Unsupported, $"Unsupported content type '{type}'. Supported: {string.Join(", ", _bindings.Select(f => f.Codec.ContentType))}.");
            var request = binding.Request.Read(new ReadOnlySequence<byte>(payload.Memory));
            var time = TimeOf(message.Headers);
            context = Operation.TakesContext ? Context(message, time) : null;
            var response = await DeadlineCall.RunAsync(_endpoint, request, context, time, _options.TimeProvider, stop).ConfigureAwait(false);
            if (message.ExpectsReply)
                await AnswerAsync(message, binding, response, context).ConfigureAwait(false);
            return null;
        }
        catch (Exception failure)
        {
            return await FailAsync(message, failure, binding ?? _bindings[0], context).ConfigureAwait(false);
        }
    }

    private async ValueTask AnswerAsync(NatsMessage<IMemoryOwner<byte>> message, OperationBinding<TRequest, TItem, TResponse> binding, TResponse response, CallContext? context)
    {
        var headers = new NatsHeaders { { NatsNames.ContentType, binding.Codec.ContentType } };
        NatsNames.Copy(context?.ResponseHeadersOrNull, headers);
        try
        {
            await message.ReplyAsync(new NatsBody<TResponse>(response), headers, _responses[binding], CancellationToken.None).ConfigureAwait(false);
        }
        catch (SerializerException unwritable)
        {
            throw CodecErrors.From(unwritable);
        }
    }

    private async ValueTask<string> FailAsync(NatsMessage<IMemoryOwner<byte>> message, Exception failure, OperationBinding<TRequest, TItem, TResponse> binding, CallContext? context)
    {
        var described = CallFailure.From(failure, Operation, binding.Codec, _options.EnableDetailedErrors);
        if (described.Status == RpcStatus.Internal)
            Log.OperationFailed(_options.Logger, failure, Operation.Path);
        var code = NatsNames.CodeOf(described.Status).ToString(CultureInfo.InvariantCulture);
        var text = described.Message.ReplaceLineEndings(" ");
        if (message.ExpectsReply)
        {
            var headers = new NatsHeaders
            {
                { NatsNames.ContentType, binding.Codec.ContentType },
                { NatsNames.Status, described.Status.ToString() },
                { ServiceErrors.CodeHeader, code },
                { ServiceErrors.Header, text },
            };
            if (described.Fault is not null)
                headers[NatsNames.Fault] = described.Fault;
            NatsNames.Copy(context?.ResponseHeadersOrNull, headers);
            await message.ReplyAsync(described.Detail, headers, null, CancellationToken.None).ConfigureAwait(false);
        }

        return $"{code}:{text}";
    }

    private static CallContext Context(in NatsMessage<IMemoryOwner<byte>> message, TimeSpan? time)
    {
        var context = new CallContext { Peer = message.ReplyTo, Timeout = time };
        NatsNames.Copy(message.Headers, context.Headers);
        return context;
    }

    private static TimeSpan? TimeOf(NatsHeaders? headers)
        => uint.TryParse(headers?[NatsNames.Timeout], NumberStyles.None, CultureInfo.InvariantCulture, out var milliseconds)
            ? TimeSpan.FromMilliseconds(Math.Min(milliseconds, int.MaxValue))
            : null;
}
