namespace Postrider.Broker.Accounts;

/// <summary>Somebody who may connect.</summary>
/// <param name="Name">The name; null where only a token or nothing is asked for.</param>
/// <param name="Account">The account that the user's subjects belong to.</param>
/// <param name="Permissions">What the user may do; null for anything.</param>
internal sealed record User(string? Name, Account Account, UserPermissions? Permissions);
