using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text;
using Postrider.Broker.Accounts;
using Postrider.Broker.Routing;
using Postrider.Credentials;
using Postrider.Sockets;

namespace Postrider.Broker.Sessions;

/// <summary>Asks the service of an account to authenticate a client.</summary>
/// <remarks>Thread-safe. The user in the response must have a key that was created for this request, so that no response can be used twice. Texts
/// are nats-server's. Source: NATS ADR-26.</remarks>
/// <param name="context">The broker's.</param>
/// <param name="keys">The broker's keys.</param>
internal sealed class AuthCallout(SessionContext context, CalloutKeys keys) : IAuthCallout
{
    private const string KeyHeader = "Nats-Server-Xkey";

    // The beginning of every unencrypted token: a JSON object in base64.
    private const string TokenStart = "eyJ";

    // 22 random letters, so that the reply subject cannot be guessed.
    private const int InboxBytes = 16;

    /// <inheritdoc/>
    public async Task<(AuthorizationResponseClaims Answer, UserClaims User, bool WasEncrypted)> AskAsync(CalloutRequest question, Account account, string subject, string? curveKey)
    {
        using var user = NkeyPair.Create(NkeyKind.User);
        var timeout = context.Options.AuthTimeout;
        var request = CreateRequest(question, subject, user.PublicKey, curveKey is not null) with { Expires = context.Time.GetUtcNow() + timeout };
        var text = Encoding.ASCII.GetBytes(request.Encode(keys.Identity, context.Time));
        byte[] headers = [];
        if (curveKey is not null)
        {
            text = keys.Curve.Seal(text, curveKey);
            headers = Encoding.ASCII.GetBytes($"NATS/1.0\r\n{KeyHeader}: {keys.Curve.PublicKey}\r\n\r\n");
        }
        if (await ExchangeAsync(account, headers, text, timeout).ConfigureAwait(false) is not { } payload)
            throw new AuthCalloutException($"Authorization callout response not received in time on account {GoQuote.Quote(account.Name)}");
        return Read(payload, account.Name, user.PublicKey, curveKey);
    }

    private async Task<byte[]?> ExchangeAsync(Account account, byte[] headers, byte[] text, TimeSpan timeout)
    {
        var inbox = Encoding.ASCII.GetBytes($"$SYS._INBOX.{Base64Url.EncodeToString(RandomNumberGenerator.GetBytes(InboxBytes))}");
        var receiver = new Receiver();
        var subscription = new Subscription(receiver, inbox, []);
        account.Subscriptions.Add(inbox, [], subscription);
        try
        {
            context.Batches.Run((account, headers, text, inbox), static (it, batch)
                => InternalPublisher.Publish(it.account.Subscriptions, SubjectBytes, SubjectBytes, it.inbox, it.headers, it.text, batch));
            return await receiver.Answer.WaitAsync(timeout, context.Time).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            return null;
        }
        finally
        {
            subscription.Leave(account.Subscriptions);
        }
    }

    private static ReadOnlySpan<byte> SubjectBytes => "$SYS.REQ.USER.AUTH"u8;

    private (AuthorizationResponseClaims Answer, UserClaims User, bool WasEncrypted) Read(byte[] payload, string account, string userKey, string? curveKey)
    {
        if (payload.Length == 0) throw new AuthCalloutException($"Auth callout violation: \"no reason supplied\" on account {GoQuote.Quote(account)}");
        var isEncrypted = curveKey is not null && !payload.AsSpan().StartsWith(Encoding.ASCII.GetBytes(TokenStart));
        try
        {
            if (isEncrypted) payload = keys.Curve.Open(payload, curveKey!);
            var answer = NatsJwt.Decode<AuthorizationResponseClaims>(Encoding.UTF8.GetString(payload), context.Time);
            if (answer.FindProblems() is { Count: > 0 } problems) throw new AuthCalloutException($"Authorization response had validation errors: {problems[0]}");
            if (answer.Subject != userKey) throw new AuthCalloutException("Auth callout violation: auth callout response is not for expected user");
            if (answer.Audience != context.Info.ServerId) throw new AuthCalloutException("Auth callout violation: auth callout response is not for server");
            if (!string.IsNullOrEmpty(answer.Error)) throw new AuthCalloutException($"Auth callout service returned an error: {answer.Error}");
            var user = NatsJwt.Decode<UserClaims>(answer.Jwt!, context.Time);
            if (user.FindProblems() is { Count: > 0 } issues) throw new AuthCalloutException($"Error validating user JWT: {issues[0]}");
            if (user.Subject != userKey) throw new AuthCalloutException($"Expected authorized user of {GoQuote.Quote(userKey)} but got {GoQuote.Quote(user.Subject)} on account {GoQuote.Quote(account)}");
            return (answer, user, isEncrypted);
        }
        catch (CredentialsException error)
        {
            throw new AuthCalloutException(isEncrypted ? $"Error decrypting auth callout response on account {GoQuote.Quote(account)}: {error.Message}" : error.Message, error);
        }
    }

    private AuthorizationRequestClaims CreateRequest(CalloutRequest question, string subject, string userKey, bool isEncrypted)
    {
        var info = context.Info;
        return new AuthorizationRequestClaims
        {
            Subject = subject,
            Audience = AuthorizationRequestClaims.RequestAudience,
            UserKey = userKey,
            Server = new AuthorizationServer(info.ServerName, info.Host, info.ServerId)
            {
                Version = info.Version,
                Tags = context.Options.ServerTags,
                CurveKey = isEncrypted ? keys.Curve.PublicKey : null,
            },
            Client = question.Client,
            Connect = question.Connect,
            Tls = question.Tls,
        };
    }

    private sealed class Receiver : IInternalSubscriber
    {
        private readonly TaskCompletionSource<byte[]> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task<byte[]> Answer => _answer.Task;

        public void Handle(
            IPublishingClient? publisher, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, SendBatch batch)
            => _answer.TrySetResult(payload.ToArray());

        public void OnFailed(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, Exception error, SendBatch batch) => _answer.TrySetException(error);
    }
}
