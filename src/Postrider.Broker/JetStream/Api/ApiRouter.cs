using System.Text;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.JetStream.Streams.Queues;
using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;

namespace Postrider.Broker.JetStream.Api;

/// <summary>The operations of one account's API, each a subscription of the account.</summary>
/// <remarks>What a subject without an operation gets is said by <see cref="ApiSubjects"/>.</remarks>
internal sealed class ApiRouter(JetStreamAccount account)
{
    private const string Prefix = "$JS.API.";

    /// <summary>Adds an operation that may wait for the disk, or for a lock that another one holds for long.</summary>
    /// <param name="pattern">Its subject behind <c>$JS.API.</c>.</param>
    /// <param name="responseType">The type that its answers show.</param>
    /// <param name="handler">Answers, on the thread of the account's changes.</param>
    public void MapCommand(string pattern, string responseType, ApiHandler handler) => Add(pattern, responseType, handler, account.Mutations);

    /// <summary>Adds an operation that may have much to read.</summary>
    /// <param name="pattern">Its subject behind <c>$JS.API.</c>.</param>
    /// <param name="responseType">The type that its answers show.</param>
    /// <param name="handler">Answers, on the thread of the account's questions.</param>
    public void MapQuery(string pattern, string responseType, ApiHandler handler) => Add(pattern, responseType, handler, account.Queries);

    /// <summary>Adds an operation that is done at once.</summary>
    /// <param name="pattern">Its subject behind <c>$JS.API.</c>.</param>
    /// <param name="responseType">The type that its answers show.</param>
    /// <param name="handler">Answers, on the asking connection's thread.</param>
    public void MapInline(string pattern, string responseType, ApiHandler handler) => Add(pattern, responseType, handler, null);

    private void Add(string pattern, string responseType, ApiHandler handler, RequestQueue? queue)
    {
        Add(Prefix, pattern, responseType, handler, queue);
        if (account.Engine.Options.Domain is { Length: > 0 } domain) Add($"$JS.{domain}.API.", pattern, responseType, handler, queue);
    }

    private void Add(string prefix, string pattern, string responseType, ApiHandler handler, RequestQueue? queue)
    {
        var tree = account.Account.Subscriptions;
        var subject = Encoding.UTF8.GetBytes(prefix + pattern);
        var operation = new ApiOperation(account, responseType, prefix.Length, handler);
        tree.Add(subject, [], new Subscription(queue is null ? operation : new QueuedHandler(queue, operation, tree), subject, []));
    }
}
