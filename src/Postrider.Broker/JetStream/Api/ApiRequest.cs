using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Routing;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Api;

/// <summary>One request of the API and the way to answer it.</summary>
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
    public IPublishingClient? Publisher { get; }

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
        if (FindProblem(type, ref value) is not { } problem) return true;
        Fail(problem);
        return false;
    }

    /// <summary>Reads the request, and answers a wrong one with members that are written in errors too.</summary>
    public bool TryRead<T, TReply>(JsonTypeInfo<T> type, out T value, TReply reply, JsonTypeInfo<TReply> replyType)
        where T : class, new()
        where TReply : ApiReply
    {
        value = new T();
        if (Payload.Trim(" \t\r\n"u8).IsEmpty || FindProblem(type, ref value) is not { } problem) return true;
        Fail(problem, reply, replyType);
        return false;
    }

    /// <summary>Reads the request where it is a JSON object or array; anything else counts as none.</summary>
    public bool TryReadIfJson<T>(JsonTypeInfo<T> type, out T value)
        where T : class, new()
    {
        if (IsJson()) return TryRead(type, out value);
        value = new T();
        return true;
    }

    /// <summary>The same, and answers a wrong one with members that are written in errors too.</summary>
    public bool TryReadIfJson<T, TReply>(JsonTypeInfo<T> type, out T value, TReply reply, JsonTypeInfo<TReply> replyType)
        where T : class, new()
        where TReply : ApiReply
    {
        if (IsJson()) return TryRead(type, out value, reply, replyType);
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

    private bool IsJson() => Payload.TrimStart(" \t\r\n"u8) is [(byte)'{' or (byte)'[', ..];

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

    private void Send(byte[] answer, bool isError, ReadOnlySpan<byte> headers = default)
    {
        Account.CountApi(isError);
        if (!ReplyTo.IsEmpty) InternalPublisher.Publish(Account.Account.Subscriptions, ReplyTo, ReplyTo, [], headers, answer, Batch);
        ApiAudit.Publish(in this, answer);
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
