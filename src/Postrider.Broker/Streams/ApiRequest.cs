using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Postrider.Broker.Routing;
using Postrider.Wire.Sockets;

namespace Postrider.Broker.Streams;

/// <summary>One request of the API and the way to answer it.</summary>
/// <remarks>The spans are valid during the handler's call.</remarks>
internal readonly ref struct ApiRequest
{
    private readonly string _responseType;
    private readonly int _firstToken;

    public ApiRequest(
        JetStreamAccount account,
        IPublisher? publisher,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        string responseType,
        int firstToken,
        SendBatch batch)
    {
        Account = account;
        Publisher = publisher;
        Subject = subject;
        ReplyTo = replyTo;
        Headers = headers;
        Payload = payload;
        _responseType = responseType;
        _firstToken = firstToken;
        Batch = batch;
    }

    /// <summary>Whose streams are meant.</summary>
    public JetStreamAccount Account { get; }

    /// <summary>Who asks, or null for the broker.</summary>
    public IPublisher? Publisher { get; }

    /// <summary>The request's subject.</summary>
    public ReadOnlySpan<byte> Subject { get; }

    /// <summary>Where the answer goes.</summary>
    public ReadOnlySpan<byte> ReplyTo { get; }

    /// <summary>The header block or nothing.</summary>
    public ReadOnlySpan<byte> Headers { get; }

    /// <summary>The request's text.</summary>
    public ReadOnlySpan<byte> Payload { get; }

    /// <summary>The batch of the connection that asks.</summary>
    public SendBatch Batch { get; }

    /// <summary>One token of the subject, counted behind <c>$JS.API.</c> from 0.</summary>
    public string Token(int place) => Encoding.UTF8.GetString(Rest(place, untilEnd: false));

    /// <summary>The subject from one token to its end.</summary>
    public string TokensFrom(int place) => Encoding.UTF8.GetString(Rest(place, untilEnd: true));

    /// <summary>Answers.</summary>
    /// <param name="reply">Gets the response's type.</param>
    /// <param name="type">How it is written.</param>
    /// <param name="headers">The answer's header block or nothing.</param>
    public void Reply<T>(T reply, JsonTypeInfo<T> type, ReadOnlySpan<byte> headers = default)
        where T : ApiReply
    {
        reply.Type = _responseType;
        Send(JsonSerializer.SerializeToUtf8Bytes(reply, type), reply.Error is not null, headers);
    }

    /// <summary>Answers with an error.</summary>
    public void Fail(ApiError error)
        => Send(JsonSerializer.SerializeToUtf8Bytes(new ApiReply { Type = _responseType, Error = error }, StreamJson.Default.ApiReply), isError: true);

    /// <summary>Answers with an error and with members that are written in errors too.</summary>
    public void Fail<T>(ApiError error, T reply, JsonTypeInfo<T> type)
        where T : ApiReply
    {
        reply.Error = error;
        Reply(reply, type);
    }

    /// <summary>Reads the request.</summary>
    /// <param name="type">How it is read.</param>
    /// <param name="value">The request; a new one when there is no payload.</param>
    /// <returns>False when it was wrong, which has been answered.</returns>
    public bool TryRead<T>(JsonTypeInfo<T> type, out T value)
        where T : class, new()
    {
        value = new T();
        if (Payload.Trim(" \t\r\n"u8).IsEmpty) return true;
        try
        {
            value = JsonSerializer.Deserialize(Payload, type) ?? new T();
            return true;
        }
        catch (JsonException error)
        {
            Fail(ApiErrors.InvalidJSON.With("err", JsonProblem.Describe(error)));
            return false;
        }
    }

    /// <summary>Reads the request where it is a JSON object or array; anything else counts as none.</summary>
    public bool TryReadIfJson<T>(JsonTypeInfo<T> type, out T value)
        where T : class, new()
    {
        if (Payload.TrimStart(" \t\r\n"u8) is [(byte)'{' or (byte)'[', ..]) return TryRead(type, out value);
        value = new T();
        return true;
    }

    /// <summary>Finds the stream that a token names; answers when there is none.</summary>
    public bool TryFindStream(int place, out MessageStream stream)
    {
        if (Account.TryGetStream(Token(place), out stream!)) return true;
        Fail(ApiErrors.StreamNotFound);
        return false;
    }

    private void Send(byte[] answer, bool isError, ReadOnlySpan<byte> headers = default)
    {
        Account.CountApi(isError);
        if (!ReplyTo.IsEmpty) InternalMessages.Publish(Account.Account.Subscriptions, ReplyTo, ReplyTo, [], headers, answer, Batch);
        Advisories.Audit(in this, answer);
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
