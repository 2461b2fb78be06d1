namespace Postrider.Credentials;

/// <summary>The types of claims.</summary>
public enum ClaimsType
{
    /// <summary>Claims of an operator, signed by itself: <see cref="OperatorClaims"/>.</summary>
    Operator,

    /// <summary>An account's, signed by its operator: <see cref="AccountClaims"/>.</summary>
    Account,

    /// <summary>A user's, signed by its account: <see cref="UserClaims"/>.</summary>
    User,

    /// <summary>The permission to import a private export, signed by the exporting account: <see cref="ActivationClaims"/>.</summary>
    Activation,

    /// <summary>The request to delete accounts, signed by their operator: <see cref="AccountDeletionClaims"/>.</summary>
    AccountDeletion,

    /// <summary>The question of a server to an authorization callout: <see cref="AuthorizationRequestClaims"/>.</summary>
    AuthorizationRequest,

    /// <summary>The response of an authorization callout: <see cref="AuthorizationResponseClaims"/>.</summary>
    AuthorizationResponse,
}
