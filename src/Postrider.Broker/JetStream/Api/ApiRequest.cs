using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Routing;
using Postrider.Memory;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Api;

/// <summary>One request of the API and the means to respond to it.</summary>
/// <remarks>The spans are valid during the handler's call.</remarks>
internal readonly ref struct ApiRequest
{
    private readonly string _responseType;
    private readonly int _firstToken;

    public ApiRequest(
        JetStreamAccount account,
        IPublishingClient? publisher,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        string responseType,
        int firstToken,
        SendBatch batch)
    {
        Account = account;
        Publisher = BrokerRequester.ClientOf(publisher);
        Subject = subject;
        ReplyTo = replyTo;
        Headers = headers;
        Payload = payload;
        _responseType = responseType;
        _firstToken = firstToken;
        Batch = batch;
    }

    private static ReadOnlySpan<byte> Blanks => " \t\r\n"u8;

    /// <summary>The account whose streams the request is about.</summary>
    public JetStreamAccount Account { get; }

    /// <summary>The requester, or null for the broker.</summary>
    public IPublishingClient? Publisher { get; }

    /// <summary>The request's subject.</summary>
    public ReadOnlySpan<byte> Subject { get; }

    /// <summary>The reply subject.</summary>
    public ReadOnlySpan<byte> ReplyTo { get; }

    /// <summary>The header block, or empty.</summary>
    public ReadOnlySpan<byte> Headers { get; }

    /// <summary>The request's payload.</summary>
    public ReadOnlySpan<byte> Payload { get; }

    /// <summary>Whether there is no payload, or a JSON object without members. As in nats-server, blanks alone are a payload.</summary>
    public bool IsEmpty => Payload.IsEmpty || (Payload.Trim(Blanks) is [(byte)'{', .. var members, (byte)'}'] && members.Trim(Blanks).IsEmpty);

    /// <summary>The batch of the requesting connection.</summary>
    public SendBatch Batch { get; }

    /// <summary>One token of the subject, counted from 0 after <c>$JS.API.</c>.</summary>
    public string Token(int place) => Encoding.UTF8.GetString(Rest(place, untilEnd: false));

    /// <summary>The subject from one token to its end.</summary>
    public string TokensFrom(int place) => Encoding.UTF8.GetString(Rest(place, untilEnd: true));

    /// <summary>Sends the response.</summary>
    /// <param name="reply">The response; its type is set here.</param>
    /// <param name="type">How to serialize it.</param>
    /// <param name="headers">The response's header block, or empty.</param>
    public void Reply<T>(T reply, JsonTypeInfo<T> type, ReadOnlySpan<byte> headers = default)
        where T : ApiReply
    {
        // Lists and the subjects of a stream are megabytes.
        using var text = new PooledBufferWriter();
        Render(reply, type, text);
        Send(text.WrittenSpan, reply.Error is not null, headers);
    }

    /// <summary>Sends a response that is neither counted nor audited, as nats-server does with messages.</summary>
    public void ReplyUncounted<T>(T reply, JsonTypeInfo<T> type)
        where T : ApiReply
    {
        using var text = new PooledBufferWriter();
        Render(reply, type, text);
        Publish(text.WrittenSpan, headers: []);
    }

    /// <summary>Responds with an error.</summary>
    public void Fail(ApiError error)
        => Send(JsonSerializer.SerializeToUtf8Bytes(new ApiReply { Type = _responseType, Error = error }, StreamJson.Default.ApiReply), isError: true);

    /// <summary>Responds with an error and with the members that errors contain too.</summary>
    public void Fail<T>(ApiError error, T reply, JsonTypeInfo<T> type)
        where T : ApiReply
    {
        reply.Error = error;
        Reply(reply, type);
    }

    /// <summary>Reads the payload.</summary>
    /// <param name="type">How to deserialize it.</param>
    /// <param name="value">The value; a new one when there is no payload.</param>
    /// <returns>False when the payload is invalid; the error response has been sent.</returns>
    public bool TryRead<T>(JsonTypeInfo<T> type, out T value)
        where T : class, new()
    {
        value = new T();
        if (Payload.Trim(Blanks).IsEmpty) return true;
        if (FindProblem(type, ref value) is not { } problem) return true;
        Fail(problem);
        return false;
    }

    /// <summary>Reads the payload; the response to an invalid one has the members that errors contain too.</summary>
    public bool TryRead<T, TReply>(JsonTypeInfo<T> type, out T value, TReply reply, JsonTypeInfo<TReply> replyType)
        where T : class, new()
        where TReply : ApiReply
    {
        value = new T();
        if (Payload.Trim(Blanks).IsEmpty || FindProblem(type, ref value) is not { } problem) return true;
        Fail(problem, reply, replyType);
        return false;
    }

    /// <summary>Reads the payload if it is a JSON object or array; anything else counts as no payload.</summary>
    public bool TryReadIfJson<T>(JsonTypeInfo<T> type, out T value)
        where T : class, new()
    {
        if (IsJson()) return TryRead(type, out value);
        value = new T();
        return true;
    }

    /// <summary>Likewise; the response to an invalid payload has the members that errors contain too.</summary>
    public bool TryReadIfJson<T, TReply>(JsonTypeInfo<T> type, out T value, TReply reply, JsonTypeInfo<TReply> replyType)
        where T : class, new()
        where TReply : ApiReply
    {
        if (IsJson()) return TryRead(type, out value, reply, replyType);
        value = new T();
        return true;
    }

    /// <summary>Finds the stream that a token names; responds with an error when there is none.</summary>
    public bool TryFindStream(int place, out MessageStream stream)
    {
        if (Account.TryGetStream(Token(place), out stream!)) return true;
        Fail(ApiErrors.StreamNotFound);
        return false;
    }

    private bool IsJson() => Payload.TrimStart(Blanks) is [(byte)'{' or (byte)'[', ..];

    private ApiError? FindProblem<T>(JsonTypeInfo<T> type, ref T value)
        where T : class, new()
    {
        var json = RequestText.IsUnicode(Payload) ? Payload : RequestText.ToUnicode(Payload);
        try
        {
            value = JsonSerializer.Deserialize(json, type) ?? new T();
            return null;
        }
        catch (JsonException error)
        {
            var values = new List<Range>();
            if (JsonSyntax.FirstProblem(json, values) is { } problem) return ApiErrors.InvalidJSON.With("err", problem);
            if (values.Count <= 1) return ApiErrors.InvalidJSON.With("err", GoJsonError.Describe(error));
            json = RequestText.Merge(json, values);
        }
        try
        {
            value = JsonSerializer.Deserialize(json, type) ?? new T();
            return null;
        }
        catch (JsonException error)
        {
            return ApiErrors.InvalidJSON.With("err", GoJsonError.Describe(error));
        }
    }

    private void Render<T>(T reply, JsonTypeInfo<T> type, PooledBufferWriter text)
        where T : ApiReply
    {
        reply.Type = _responseType;
        using var writer = new Utf8JsonWriter(text, new JsonWriterOptions { Encoder = type.Options.Encoder, SkipValidation = true });
        JsonSerializer.Serialize(writer, reply, type);
    }

    private void Send(ReadOnlySpan<byte> answer, bool isError, ReadOnlySpan<byte> headers = default)
    {
        Account.CountApi(isError);
        Publish(answer, headers);
        ApiAudit.Publish(in this, answer);
    }

    private void Publish(ReadOnlySpan<byte> answer, ReadOnlySpan<byte> headers)
    {
        if (!ReplyTo.IsEmpty) InternalPublisher.Publish(Account.Account.Subscriptions, ReplyTo, ReplyTo, [], headers, answer, Batch);
    }

    private ReadOnlySpan<byte> Rest(int place, bool untilEnd)
    {
        var rest = Subject[_firstToken..];
        for (; place > 0; place--)
        {
            var dot = rest.IndexOf((byte)'.');
            if (dot < 0) return [];
            rest = rest[(dot + 1)..];
        }
        var end = rest.IndexOf((byte)'.');
        return untilEnd || end < 0 ? rest : rest[..end];
    }
}
