using System.Globalization;
using System.Text.Json;
using Postrider.Credentials;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Operators;

/// <summary>A connection with a user's token that sends and sees bytes.</summary>
internal sealed class TokenClient : IAsyncDisposable
{
    private readonly RawConnection _connection;
    private int _inboxes;

    private TokenClient(RawConnection connection) => _connection = connection;

    /// <summary>Connects as a user.</summary>
    /// <param name="port">The server's port.</param>
    /// <param name="token">The user's token.</param>
    /// <param name="key">The user's key.</param>
    public static async Task<TokenClient> ConnectAsync(int port, string token, NkeyPair key)
    {
        var connection = await RawConnection.OpenAsync(port);
        var nonce = JsonDocument.Parse(connection.Info).RootElement.GetProperty("nonce").GetString()!;
        await connection.SendAsync($"CONNECT {{\"verbose\":false,\"jwt\":\"{token}\",\"sig\":\"{TokenKeys.Sign(nonce, key)}\"}}\r\n");
        return new TokenClient(connection);
    }

    /// <summary>Sends lines and gives what the server says to them.</summary>
    public async Task<string> SayAsync(params string[] lines)
    {
        await _connection.SendAsync(string.Concat(lines.Select(static line => line + "\r\n")));
        return (await _connection.FenceAsync()).Replace("\r\n", "\n", StringComparison.Ordinal);
    }

    /// <summary>Sends a request and gives its answer.</summary>
    public async Task<string> AskAsync(string subject, string payload)
    {
        var inbox = string.Create(CultureInfo.InvariantCulture, $"_INBOX.{++_inboxes}");
        await SayAsync($"SUB {inbox} {_inboxes}", $"UNSUB {_inboxes} 1");
        await _connection.SendAsync($"PUB {subject} {inbox} {payload.Length}\r\n{payload}\r\n");
        return await NextAsync($"MSG {inbox} ");
    }

    /// <summary>Waits for a message whose line begins like this, and gives its payload.</summary>
    public async Task<string> NextAsync(string beginning)
    {
        if (!await _connection.UntilAsync(text => Payload(text, beginning) is not null)) throw new InvalidOperationException($"Closed instead of an answer: {_connection.Received}");
        var payload = Payload(_connection.Received, beginning)!;
        await SayAsync();
        return payload;
    }

    /// <summary>Waits for a message whose line begins like this, and gives its reply subject.</summary>
    public async Task<string> NextReplyAsync(string beginning)
    {
        await _connection.UntilAsync(text => Payload(text, beginning) is not null);
        var line = _connection.Received[_connection.Received.IndexOf(beginning, StringComparison.Ordinal)..];
        await SayAsync();
        return line.Split(' ')[3];
    }

    /// <summary>Waits until the server closes the connection, and gives what it said before.</summary>
    public async Task<string> ToEndAsync()
    {
        await _connection.UntilAsync(static _ => false);
        return _connection.Received.Replace("\r\n", "\n", StringComparison.Ordinal).Replace("PING\n", "", StringComparison.Ordinal);
    }

    /// <summary>Waits until the server has said a line that ends like this, and gives all of it.</summary>
    public async Task<string> UntilAsync(string end)
    {
        await _connection.UntilAsync(text => text.Contains(end + "\r\n", StringComparison.Ordinal));
        return (await _connection.FenceAsync()).Replace("\r\n", "\n", StringComparison.Ordinal).Replace("PING\n", "", StringComparison.Ordinal);
    }

    /// <summary>Sends bytes as they are.</summary>
    public Task SendAsync(string text) => _connection.SendAsync(text);

    public ValueTask DisposeAsync() => _connection.DisposeAsync();

    // Null as long as the message is not complete.
    private static string? Payload(string text, string beginning)
    {
        var start = text.IndexOf(beginning, StringComparison.Ordinal);
        var end = start < 0 ? -1 : text.IndexOf("\r\n", start, StringComparison.Ordinal);
        if (end < 0) return null;
        var length = int.Parse(text[start..end].Split(' ')[^1], CultureInfo.InvariantCulture);
        return text.Length >= end + 2 + length + 2 ? text.Substring(end + 2, length) : null;
    }
}
