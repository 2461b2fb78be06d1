using System.Security.Cryptography;
using System.Text;
using Postrider.Broker.Accounts;
using Postrider.Broker.Routing;
using Postrider.Broker.Sessions;
using Postrider.Credentials;
using Postrider.Sockets;

namespace Postrider.Broker.Hosting;

/// <summary>Requests the token of an account in the system account.</summary>
/// <remarks>Thread-safe. Source: nats-server, <c>$SYS.REQ.ACCOUNT.*.CLAIMS.LOOKUP</c>.</remarks>
/// <param name="context">The broker's context.</param>
/// <param name="system">The system account.</param>
/// <param name="timeout">How long to wait for a response.</param>
internal sealed class ClaimsLookup(SessionContext context, Account system, TimeSpan timeout)
{
    private const int InboxBytes = 11;

    /// <summary>Requests the token.</summary>
    /// <param name="key">The account's public key.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The first response; null when it is empty or none arrives in time.</returns>
    public async Task<string?> AskAsync(string key, CancellationToken ct)
    {
        var reply = Encoding.ASCII.GetBytes($"$SYS._INBOX.{Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(InboxBytes))}");
        var answer = new Answer();
        var subscription = new Subscription(answer, reply, []);
        system.Subscriptions.Add(reply, [], subscription);
        try
        {
            context.Batches.Run((Subject: Encoding.ASCII.GetBytes($"$SYS.REQ.ACCOUNT.{key}.CLAIMS.LOOKUP"), Reply: reply), (question, batch)
                => InternalPublisher.Publish(system.Subscriptions, question.Subject, question.Subject, question.Reply, [], [], batch));
            var token = await answer.Task.WaitAsync(timeout, context.Time, ct).ConfigureAwait(false);
            return token.Length == 0 ? null : token;
        }
        catch (TimeoutException)
        {
            return null;
        }
        finally
        {
            subscription.Leave(system.Subscriptions);
        }
    }

    private sealed class Answer : IInternalSubscriber
    {
        private readonly TaskCompletionSource<string> _token = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task<string> Task => _token.Task;

        public void Handle(
            IPublishingClient? publisher, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, SendBatch batch)
            => _token.TrySetResult(payload.Length <= NatsJwt.MaxTokenLength ? Encoding.UTF8.GetString(payload) : "");

        public void OnFailed(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, Exception error, SendBatch batch) => _token.TrySetException(error);
    }
}
