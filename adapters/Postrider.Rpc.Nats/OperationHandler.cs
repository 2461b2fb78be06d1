using System.Buffers;
using System.Globalization;
using Postrider.Client.Payloads;
using Postrider.Client.Services;
using Postrider.Client.Sessions;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Nats;

/// <summary>Answers the requests of one operation.</summary>
internal sealed class OperationHandler<TRequest, TItem, TResponse>
{
    private readonly OperationEndpoint<TRequest, TItem, TResponse> _endpoint;
    private readonly List<Form> _forms;
    private readonly NatsServiceOptions _options;

    public OperationHandler(OperationEndpoint<TRequest, TItem, TResponse> endpoint, IReadOnlyList<RpcCodec> codecs, NatsServiceOptions options)
    {
        (_endpoint, _options) = (endpoint, options);
        _forms = [.. codecs.Select(codec => new Form(codec, endpoint.Contract.RequestFormatter(codec), new FormatterPayload<TResponse>(codec.Of<TResponse>())))];
    }

    private Operation Operation => _endpoint.Contract;

    /// <summary>Answers a request.</summary>
    /// <returns>What went wrong, for the service's figures; null when nothing did.</returns>
    public async ValueTask<string?> HandleAsync(NatsMessage<IMemoryOwner<byte>> message, CancellationToken stop)
    {
        using var payload = message.Data;
        var form = FormOf(message.Headers?[NatsNames.ContentType]);
        CallContext? context = null;
        try
        {
            if (form is null)
                throw new RpcException(RpcStatus.Unsupported, $"'{message.Headers![NatsNames.ContentType]}' is not spoken here; {string.Join(", ", _forms.Select(f => f.Codec.ContentType))} is.");
            if (Operation.Kind is not (OperationKind.Unary or OperationKind.OneWay))
                throw new RpcException(RpcStatus.Unsupported, $"{Operation.Path} streams, which is not carried over NATS.");
            var request = form.Request.Read(new ReadOnlySequence<byte>(payload.Memory));
            var time = TimeOf(message.Headers);
            context = Operation.TakesContext ? Context(message, time) : null;
            var response = await CallAsync(request, context, time, stop).ConfigureAwait(false);
            if (message.ExpectsReply)
                await AnswerAsync(message, form, response, context).ConfigureAwait(false);
            return null;
        }
        catch (Exception failure)
        {
            return await FailAsync(message, failure, form ?? _forms[0], context).ConfigureAwait(false);
        }
    }

    private Form? FormOf(string? contentType)
    {
        if (contentType is null)
            return _forms[0];
        var type = contentType.AsSpan();
        type = type.IndexOf(';') is >= 0 and var end ? type[..end].Trim() : type.Trim();
        foreach (var form in _forms)
        {
            if (form.Codec.Accepts(type))
                return form;
        }

        return null;
    }

    private async ValueTask<TResponse> CallAsync(TRequest request, CallContext? context, TimeSpan? time, CancellationToken stop)
    {
        if (time is null || !Operation.TakesToken)
            return await _endpoint.CallAsync(request, null, context, stop).ConfigureAwait(false);
        using var end = new Limit(_options.TimeProvider, time, stop);
        try
        {
            return await _endpoint.CallAsync(request, null, context, end.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (end.Token.IsCancellationRequested && !stop.IsCancellationRequested)
        {
            throw new RpcException(RpcStatus.DeadlineExceeded, $"{Operation.Path} took longer than it may.");
        }
    }

    private static async ValueTask AnswerAsync(NatsMessage<IMemoryOwner<byte>> message, Form form, TResponse response, CallContext? context)
    {
        var headers = new NatsHeaders { { NatsNames.ContentType, form.Codec.ContentType } };
        NatsNames.Copy(context?.ResponseHeadersOrNull, headers);
        await message.ReplyAsync(response, headers, form.Response, CancellationToken.None).ConfigureAwait(false);
    }

    private async ValueTask<string> FailAsync(NatsMessage<IMemoryOwner<byte>> message, Exception failure, Form form, CallContext? context)
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

    private sealed record Form(RpcCodec Codec, RpcFormatter<TRequest> Request, FormatterPayload<TResponse> Response);
}
