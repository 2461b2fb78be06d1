namespace Postrider.Broker.Accounts;

/// <summary>A request to a service of another account that waits for its response.</summary>
/// <param name="Subject">The subject on which the response is expected.</param>
/// <param name="ReplyTo">The requester's reply subject.</param>
/// <param name="Account">The requester's account.</param>
/// <param name="Import">The import through which the request was sent.</param>
/// <param name="Sample">Measures the response; null if it is not measured.</param>
internal sealed record PendingReply(string Subject, string ReplyTo, string Account, ServiceImport Import, LatencySample? Sample);
