namespace Postrider.Credentials;

/// <summary>The kinds of errors of keys, tokens and credentials files.</summary>
public enum CredentialsErrorCode
{
    /// <summary>A text is not a public nkey: wrong length, characters, prefix or checksum.</summary>
    InvalidKey,

    /// <summary>A text is not the seed of an nkey: wrong length, characters, prefix or checksum.</summary>
    InvalidSeed,

    /// <summary>A key is of another kind than the operation needs, such as an account's key where a user's is needed.</summary>
    WrongKeyKind,

    /// <summary>A token is not of the form <c>header.claims.signature</c>, or one of the parts cannot be read.</summary>
    InvalidToken,

    /// <summary>A token is longer than <see cref="NatsJwt.MaxTokenLength"/>.</summary>
    TokenTooLarge,

    /// <summary>A token's header names another algorithm than <c>ed25519-nkey</c>.</summary>
    UnsupportedAlgorithm,

    /// <summary>A token was made for a newer version of the format, or for the first.</summary>
    UnsupportedVersion,

    /// <summary>A signature was not made by the key it claims to be from.</summary>
    InvalidSignature,

    /// <summary>A token's issuer may not issue claims of that type.</summary>
    WrongIssuer,

    /// <summary>A token has claims of a type other than expected.</summary>
    WrongClaimsType,

    /// <summary>A token has expired.</summary>
    Expired,

    /// <summary>A token is not valid yet.</summary>
    NotYetValid,

    /// <summary>Claims contradict each other or contain an invalid value.</summary>
    InvalidClaims,

    /// <summary>A file has no token or no seed in it.</summary>
    InvalidFile,

    /// <summary>An encrypted message was changed, or is for another key.</summary>
    DecryptionFailed,
}
