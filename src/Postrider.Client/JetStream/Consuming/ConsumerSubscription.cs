using Postrider.Client.JetStream.Api;
using Postrider.Client.Sessions;

namespace Postrider.Client.JetStream.Consuming;

/// <summary>The subscription that a consumer's messages arrive on.</summary>
internal abstract class ConsumerSubscription(ApiClient api, string subject, SubscriptionOptions options) : NatsSubscription(api.Session, subject, options)
{
    public ApiClient Api { get; } = api;
}
