using System.Text;
using Postrider.Broker.Routing;

namespace Postrider.Broker.Streams;

/// <summary>The operations of one account's API, each a subscription of the account.</summary>
/// <remarks>A subject without an operation has no listener, so its requester hears so at once.</remarks>
internal sealed class ApiTable(JetStreamAccount account)
{
    private const string Prefix = "$JS.API.";

    /// <summary>Adds an operation.</summary>
    /// <param name="pattern">Its subject behind <c>$JS.API.</c>.</param>
    /// <param name="responseType">The type that its answers show.</param>
    /// <param name="handler">Answers, on the asking connection's thread.</param>
    public void Add(string pattern, string responseType, ApiHandler handler)
    {
        Add(Prefix, pattern, responseType, handler);
        if (account.Engine.Options.Domain is { Length: > 0 } domain) Add($"$JS.{domain}.API.", pattern, responseType, handler);
    }

    private void Add(string prefix, string pattern, string responseType, ApiHandler handler)
    {
        var subject = Encoding.UTF8.GetBytes(prefix + pattern);
        var operation = new ApiOperation(account, responseType, prefix.Length, handler);
        account.Account.Subscriptions.Add(subject, [], new Subscription(operation, subject, []));
    }
}
