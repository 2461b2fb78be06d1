using System.Buffers;
using System.Globalization;
using Postrider.Client;
using Postrider.Client.Services;
using Postrider.Client.Sessions;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Nats;

/// <summary>Answers the requests of one operation that has one message back, or none.</summary>
internal sealed class OperationHandler<TRequest, TItem, TResponse>
{
    private readonly OperationEndpoint<TRequest, TItem, TResponse> _endpoint;
    private readonly List<OperationForm<TRequest, TItem, TResponse>> _forms;
    private readonly NatsServiceOptions _options;

    public OperationHandler(OperationEndpoint<TRequest, TItem, TResponse> endpoint, IReadOnlyList<RpcCodec> codecs, NatsServiceOptions options)
    {
        (_endpoint, _options) = (endpoint, options);
        _forms = [.. codecs.Select(codec => new OperationForm<TRequest, TItem, TResponse>(endpoint.Contract, codec))];
    }

    private Operation Operation => _endpoint.Contract;

    /// <summary>Answers a request.</summary>
    /// <returns>What went wrong, for the service's figures; null when nothing did.</returns>
    public async ValueTask<string?> HandleAsync(NatsMessage<IMemoryOwner<byte>> message, CancellationToken stop)
    {
        using var payload = message.Data;
        var type = message.Headers?[NatsNames.ContentType];
        var form = type is null ? _forms[0] : OperationForm<TRequest, TItem, TResponse>.Find(_forms, type);
        CallContext? context = null;
        try
        {
            if (form is null)
                throw new RpcException(RpcStatus.Unsupported, $"Unsupported content type '{type}'. Supported: {string.Join(", ", _forms.Select(f => f.Codec.ContentType))}.");
            var request = form.Request.Read(new ReadOnlySequence<byte>(payload.Memory));
            var time = TimeOf(message.Headers);
            context = Operation.TakesContext ? Context(message, time) : null;
            var response = await TimedCall.RunAsync(_endpoint, request, context, time, _options.TimeProvider, stop).ConfigureAwait(false);
            if (message.ExpectsReply)
                await AnswerAsync(message, form, response, context).ConfigureAwait(false);
            return null;
        }
        catch (Exception failure)
        {
            return await FailAsync(message, failure, form ?? _forms[0], context).ConfigureAwait(false);
        }
    }

    private static async ValueTask AnswerAsync(NatsMessage<IMemoryOwner<byte>> message, OperationForm<TRequest, TItem, TResponse> form, TResponse response, CallContext? context)
    {
        var headers = new NatsHeaders { { NatsNames.ContentType, form.Codec.ContentType } };
        NatsNames.Copy(context?.ResponseHeadersOrNull, headers);
        await message.ReplyAsync(response, headers, new FormatterPayload<TResponse>(form.Response), CancellationToken.None).ConfigureAwait(false);
    }

    private async ValueTask<string> FailAsync(NatsMessage<IMemoryOwner<byte>> message, Exception failure, OperationForm<TRequest, TItem, TResponse> form, CallContext? context)
    {
        var described = CallFailure.Of(failure, Operation, form.Codec, _options.ShowsErrors);
        if (described.Status == RpcStatus.Internal)
            Log.OperationFailed(_options.Logger, failure, Operation.Path);
        var code = NatsNames.CodeOf(described.Status).ToString(CultureInfo.InvariantCulture);
        var text = described.Message.ReplaceLineEndings(" ");
        if (message.ExpectsReply)
        {
            var headers = new NatsHeaders
            {
                { NatsNames.ContentType, form.Codec.ContentType },
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
