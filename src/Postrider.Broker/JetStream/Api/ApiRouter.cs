using System.Text;
using Postrider.Broker.Accounts;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.JetStream.Streams.Queues;
using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;

namespace Postrider.Broker.JetStream.Api;

/// <summary>The operations of one account's API, each a subscription of the account.</summary>
/// <remarks><see cref="ApiSubjects"/> decides about subjects without an operation.</remarks>
internal sealed class ApiRouter
{
    private const string Prefix = "$JS.API.";

    private readonly JetStreamEngine _engine;
    private readonly Account _account;
    private readonly JetStreamAccount? _streams;
    private readonly List<Subscription> _subscriptions;

    /// <summary>Creates a router without operations.</summary>
    /// <param name="account">The account whose streams the operations are about.</param>
    public ApiRouter(JetStreamAccount account)
        => (_engine, _account, _streams, _subscriptions) = (account.Engine, account.Account, account, account.ApiSubscriptions);

    /// <summary>Creates a router without operations; each one added will respond that JetStream is not enabled for the account.</summary>
    /// <param name="engine">The streams of other accounts.</param>
    /// <param name="account">An account without streams.</param>
    public ApiRouter(JetStreamEngine engine, Account account) => (_engine, _account, _subscriptions) = (engine, account, []);

    /// <summary>The account's subscriptions for the operations added so far.</summary>
    public IReadOnlyList<Subscription> Subscriptions => _subscriptions;

    /// <summary>The streams that the operations are about; null for an account without streams.</summary>
    public JetStreamAccount? Streams => _streams;

    /// <summary>Adds an operation that may wait for the disk, or for a lock that is held for long.</summary>
    /// <param name="pattern">Its subject after <c>$JS.API.</c>.</param>
    /// <param name="responseType">The type of its responses.</param>
    /// <param name="handler">Called on the thread of the account's changes.</param>
    public void MapCommand(string pattern, string responseType, ApiHandler handler) => Add(pattern, responseType, handler, _streams?.Mutations);

    /// <summary>Adds an operation that may have much to read.</summary>
    /// <param name="pattern">Its subject after <c>$JS.API.</c>.</param>
    /// <param name="responseType">The type of its responses.</param>
    /// <param name="handler">Called on the thread of the account's queries.</param>
    /// <param name="isQuick">Which requests complete quickly and are handled on the requesting connection's thread; null for none.</param>
    public void MapQuery(string pattern, string responseType, ApiHandler handler, QuickRequest? isQuick = null)
        => Add(pattern, responseType, handler, _streams?.Queries, isQuick);

    /// <summary>Adds an operation that completes quickly.</summary>
    /// <param name="pattern">Its subject after <c>$JS.API.</c>.</param>
    /// <param name="responseType">The type of its responses.</param>
    /// <param name="handler">Called on the requesting connection's thread.</param>
    public void MapInline(string pattern, string responseType, ApiHandler handler) => Add(pattern, responseType, handler, null);

    private void Add(string pattern, string responseType, ApiHandler handler, RequestQueue? queue, QuickRequest? isQuick = null)
    {
        Add(Prefix, pattern, responseType, handler, queue, isQuick);
        if (_engine.Options.Domain is { Length: > 0 } domain) Add($"$JS.{domain}.API.", pattern, responseType, handler, queue, isQuick);
    }

    private void Add(string prefix, string pattern, string responseType, ApiHandler handler, RequestQueue? queue, QuickRequest? isQuick)
    {
        var tree = _account.Subscriptions;
        var subject = Encoding.UTF8.GetBytes(prefix + pattern);
        var subscription = new Subscription(CreateService(tree, prefix.Length, responseType, handler, queue, isQuick), subject, []);
        if (tree.Add(subject, [], subscription)) _subscriptions.Add(subscription);
    }

    private IInternalSubscriber CreateService(
        SubjectTree<Subscription> tree, int firstToken, string responseType, ApiHandler handler, RequestQueue? queue, QuickRequest? isQuick)
    {
        if (_streams is null) return new NotEnabledOperation(_engine, _account, responseType);
        var operation = new ApiOperation(_streams, responseType, firstToken, handler);
        return queue is null ? operation : new QueuedHandler(queue, operation, tree, isQuick);
    }
}
