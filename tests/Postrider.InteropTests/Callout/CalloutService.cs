using System.Buffers.Text;
using System.Globalization;
using System.Text;
using Postrider.Credentials;
using Postrider.InteropTests.SystemAccount;

namespace Postrider.InteropTests.Callout;

/// <summary>A service that says who clients are: what it answers depends on the name that a client gave.</summary>
internal sealed class CalloutService : IAsyncDisposable
{
    private readonly SystemClient _client;
    private readonly CalloutKeysOfTest _keys;
    private readonly Dictionary<string, string> _requests = new(StringComparer.Ordinal);
    private readonly CancellationTokenSource _ending = new();
    private string _lastAnswer = "";
    private Task _serving = Task.CompletedTask;

    private CalloutService(SystemClient client, CalloutKeysOfTest keys) => (_client, _keys) = (client, keys);

    /// <summary>Begins to serve.</summary>
    /// <param name="client">A client of the account of the callout, as one of its own users.</param>
    /// <param name="keys">The keys that it signs and encrypts with.</param>
    public static async Task<CalloutService> StartAsync(SystemClient client, CalloutKeysOfTest keys)
    {
        var service = new CalloutService(client, keys);
        await client.SubscribeAsync("$SYS.REQ.USER.AUTH");
        service._serving = Task.Run(service.ServeAsync);
        return service;
    }

    /// <summary>The claims of the last request about a client, as JSON.</summary>
    public string RequestOf(string name)
    {
        lock (_requests) return _requests[name];
    }

    public async ValueTask DisposeAsync()
    {
        await _ending.CancelAsync();
        await _client.DisposeAsync();
        await _serving;
        _ending.Dispose();
    }

    private async Task ServeAsync()
    {
        while (!_ending.IsCancellationRequested)
        {
            try
            {
                var request = await _client.NextAsync(static message => message.Subject == "$SYS.REQ.USER.AUTH");
                await AnswerAsync(request.ReplyTo, request.Headers, request.Payload);
            }
            catch (Exception) when (_ending.IsCancellationRequested)
            {
                return;
            }
            catch (OperationCanceledException)
            {
                // Nobody came for a while.
            }
        }
    }

    private async Task AnswerAsync(string replyTo, string headers, string payload)
    {
        var isEncrypted = headers.Contains("Nats-Server-Xkey: ", StringComparison.Ordinal);
        var serverKey = isEncrypted ? headers.Split("Nats-Server-Xkey: ")[1].Split("\r\n")[0] : "";
        var text = isEncrypted ? Encoding.ASCII.GetString(_keys.Curve.Open(Encoding.Latin1.GetBytes(payload), serverKey)) : payload;
        var claims = NatsJwt.Decode<AuthorizationRequestClaims>(text);
        // The client's name: credentials of all kinds come with one.
        var name = claims.Connect.Name!;
        lock (_requests) _requests[name] = Encoding.UTF8.GetString(Base64Url.DecodeFromChars(text.Split('.')[1]));
        if (name == "silent") return;
        var answer = name switch
        {
            "empty" => "",
            "garbage" => "abc",
            "replayed" => _lastAnswer,
            _ => _keys.Answer(claims, name),
        };
        _lastAnswer = answer;
        var bytes = Encoding.ASCII.GetBytes(answer);
        if (isEncrypted && answer.Length > 0 && name != "in the clear") bytes = (name == "other curve key" ? _keys.OtherCurve : _keys.Curve).Seal(bytes, serverKey);
        await _client.SendAsync(string.Create(CultureInfo.InvariantCulture, $"PUB {replyTo} {bytes.Length}\r\n{Encoding.Latin1.GetString(bytes)}\r\n"));
    }
}
