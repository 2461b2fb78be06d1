namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>The server's and the account's limits for consumers; 0 or less for no limit.</summary>
/// <param name="ServerMaxAckPending">The server's limit of open deliveries.</param>
/// <param name="AccountMaxAckPending">The account's limit of open deliveries.</param>
/// <param name="MaxRequestBatch">The limit of messages of one pull.</param>
internal readonly record struct ServerConsumerLimits(long ServerMaxAckPending, long AccountMaxAckPending, long MaxRequestBatch);
