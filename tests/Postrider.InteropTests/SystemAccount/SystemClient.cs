using System.Globalization;
using System.Text.Json;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.SystemAccount;

/// <summary>A client that asks and listens in an account of a server.</summary>
internal sealed class SystemClient : IAsyncDisposable
{
    private readonly RawConnection _connection;
    private readonly string _inbox;
    private int _requests;
    private int _seen;

    private SystemClient(RawConnection connection, string name) => (_connection, _inbox) = (connection, $"_INBOX.{name.Replace(' ', '-')}");

    /// <summary>Whether the server let it in.</summary>
    public bool IsIn { get; private set; }

    /// <summary>The server's id.</summary>
    public string ServerId => Info("server_id").GetString()!;

    /// <summary>The server's number of the connection.</summary>
    public ulong Id => Info("client_id").GetUInt64();

    /// <summary>What was received and is no answer that was given.</summary>
    public string Received => _connection.Received;

    /// <summary>Connects as a user whose password is <c>p</c>.</summary>
    /// <param name="port">The server's port.</param>
    /// <param name="user">The user.</param>
    /// <param name="name">The client's name.</param>
    /// <param name="password">Its password.</param>
    public static Task<SystemClient> ConnectAsync(int port, string user, string name = "asker", string password = "p")
        => ConnectAsync(port, name, _ => $"\"user\":\"{user}\",\"pass\":\"{password}\"");

    /// <summary>Connects with credentials.</summary>
    /// <param name="port">The server's port.</param>
    /// <param name="name">The client's name.</param>
    /// <param name="credentials">The members of CONNECT for the nonce of INFO, which may be empty.</param>
    public static async Task<SystemClient> ConnectAsync(int port, string name, Func<string, string> credentials)
    {
        var client = new SystemClient(await RawConnection.OpenAsync(port), name);
        var nonce = JsonDocument.Parse(client._connection.Info).RootElement.TryGetProperty("nonce", out var given) ? given.GetString()! : "";
        await client._connection.SendAsync(
            $"CONNECT {{\"verbose\":false,\"protocol\":1,\"headers\":true,\"no_responders\":true,{credentials(nonce)},\"name\":\"{name}\",\"lang\":\"test\",\"version\":\"1\"}}\r\nPING\r\n");
        client.IsIn = await client._connection.UntilAsync(static text => text.Contains("PONG\r\n", StringComparison.Ordinal));
        return client;
    }

    /// <summary>Subscribes and waits until the server knows.</summary>
    public async Task SubscribeAsync(params string[] subjects)
    {
        var lines = subjects.Select(subject => $"SUB {subject} {(++_requests).ToString(CultureInfo.InvariantCulture)}\r\n");
        await SendAsync(string.Concat(lines));
        await FenceAsync();
    }

    /// <summary>Sends a request.</summary>
    /// <returns>The payload of its answer; <c>503</c> where nobody answers.</returns>
    public async Task<string> AskAsync(string subject, string body = "", string headers = "")
    {
        var inbox = string.Create(CultureInfo.InvariantCulture, $"{_inbox}.{++_requests}");
        await SendAsync(string.Create(CultureInfo.InvariantCulture, $"SUB {inbox} {_requests}\r\n") + Publish(subject, inbox, body, headers));
        var answer = await NextAsync(message => message.Subject == inbox);
        return answer.Headers.StartsWith("NATS/1.0 503", StringComparison.Ordinal) ? "503" : answer.Headers + answer.Payload;
    }

    /// <summary>Sends two requests, of which the first may remain without an answer.</summary>
    /// <returns>Whether it was answered when the second one was.</returns>
    public async Task<bool> IsAnsweredAsync(string subject, string body, string then)
    {
        var inbox = string.Create(CultureInfo.InvariantCulture, $"{_inbox}.{++_requests}");
        await SendAsync(string.Create(CultureInfo.InvariantCulture, $"SUB {inbox} {_requests}\r\n") + Publish(subject, inbox, body, ""));
        await AskAsync(then);
        return Messages().Any(message => message.Subject == inbox);
    }

    /// <summary>Waits for a message that comes after those that were waited for.</summary>
    public async Task<(string Subject, string ReplyTo, string Headers, string Payload)> NextAsync(Func<(string Subject, string ReplyTo, string Headers, string Payload), bool> wanted)
    {
        var isThere = await _connection.UntilAsync(_ => Messages().Skip(_seen).Any(wanted));
        Assert.True(isThere, $"The server closed the connection: {Received}");
        var all = Messages().ToList();
        var place = all.FindIndex(_seen, message => wanted(message));
        _seen = place + 1;
        return all[place];
    }

    /// <summary>Waits until the server has read what was sent.</summary>
    public async Task FenceAsync()
    {
        var before = Received.Split("PONG\r\n").Length;
        await SendAsync("PING\r\n");
        await _connection.UntilAsync(text => text.Split("PONG\r\n").Length > before);
    }

    /// <summary>Waits until the server has said something.</summary>
    public async Task<bool> UntilAsync(Func<string, bool> satisfied) => await _connection.UntilAsync(satisfied);

    /// <summary>Publishes without a reply subject.</summary>
    public Task PublishAsync(string subject, string body = "") => SendAsync(string.Create(CultureInfo.InvariantCulture, $"PUB {subject} {body.Length}\r\n{body}\r\n"));

    /// <summary>Sends bytes as they are, one character a byte.</summary>
    public Task SendAsync(string text) => _connection.SendAsync(text);

    public ValueTask DisposeAsync() => _connection.DisposeAsync();

    private static string Publish(string subject, string replyTo, string body, string headers)
        => headers.Length == 0
            ? string.Create(CultureInfo.InvariantCulture, $"PUB {subject} {replyTo} {body.Length}\r\n{body}\r\n")
            : string.Create(CultureInfo.InvariantCulture, $"HPUB {subject} {replyTo} {headers.Length} {headers.Length + body.Length}\r\n{headers}{body}\r\n");

    private JsonElement Info(string name) => JsonDocument.Parse(_connection.Info).RootElement.GetProperty(name);

    // The complete messages among what was received.
    private IEnumerable<(string Subject, string ReplyTo, string Headers, string Payload)> Messages()
    {
        var text = Received;
        for (var start = 0; text.IndexOf("\r\n", start, StringComparison.Ordinal) is var end and >= 0; start = end + 2)
        {
            var words = text[start..end].Split(' ');
            if (words[0] is not ("MSG" or "HMSG")) continue;
            var total = int.Parse(words[^1], CultureInfo.InvariantCulture);
            var head = words[0] == "HMSG" ? int.Parse(words[^2], CultureInfo.InvariantCulture) : 0;
            if (text.Length < end + 2 + total + 2) yield break;
            yield return (words[1], words.Length > (words[0] == "HMSG" ? 5 : 4) ? words[3] : "", text.Substring(end + 2, head), text.Substring(end + 2 + head, total - head));
            end += 2 + total;
        }
    }
}
