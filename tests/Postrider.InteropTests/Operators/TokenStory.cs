using Postrider.Credentials;

namespace Postrider.InteropTests.Operators;

/// <summary>One client with a token of its own in an account of its own, and what a server says to it.</summary>
internal sealed record TokenStory
{
    /// <summary>What the server says after CONNECT and the lines of <see cref="Then"/>, each line ending in a line feed.</summary>
    public string Says { get; init; } = "";

    /// <summary>Whether the server closes the connection by itself, at a time of its own.</summary>
    public bool IsClosed { get; init; }

    /// <summary>Changes the account's claims.</summary>
    public Func<AccountClaims, TokenKeys, AccountClaims> Account { get; init; } = static (claims, _) => claims;

    /// <summary>Chooses who signs the account; the operator unless it is set.</summary>
    public Func<TokenKeys, NkeyPair>? AccountSigner { get; init; }

    /// <summary>Whether the server has the account's token.</summary>
    public bool IsPreloaded { get; init; } = true;

    /// <summary>Changes the user's claims.</summary>
    public Func<UserClaims, TokenKeys, UserClaims> User { get; init; } = static (claims, _) => claims;

    /// <summary>Chooses who signs the user; the account unless it is set.</summary>
    public Func<TokenKeys, NkeyPair>? UserSigner { get; init; }

    /// <summary>Changes the user's token after it was signed.</summary>
    public Func<string, TokenKeys, string> Token { get; init; } = static (token, _) => token;

    /// <summary>Makes the signature of the nonce; the user's own unless it is set.</summary>
    public Func<string, TokenKeys, string?>? Signature { get; init; }

    /// <summary>The members of CONNECT besides <c>verbose</c>; the token and the signature unless it is set.</summary>
    public Func<string, string?, string>? Connect { get; init; }

    /// <summary>Lines that the client sends after CONNECT.</summary>
    public string[] Then { get; init; } = [];
}
