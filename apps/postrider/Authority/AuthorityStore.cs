using Postrider.Credentials;

namespace Postrider.CommandLine.Authority;

/// <summary>A folder with an operator's token, those of its accounts and users, and the keys that sign them.</summary>
/// <remarks>
/// <c>operator.jwt</c>, <c>accounts/NAME.jwt</c>, <c>accounts/NAME/USER.jwt</c>, <c>keys/PUBLIC.nk</c> (mode 0600 in a folder of mode 0700).
/// A token is replaced as a whole. Only one program may change the folder at a time.
/// </remarks>
/// <param name="folder">The folder.</param>
/// <param name="time">The clock of the tokens.</param>
internal sealed class AuthorityStore(string folder, TimeProvider time)
{
    private const string Suffix = ".jwt";
    private const int MaxNameLength = 64;

    private string OperatorFile => Path.Join(folder, "operator" + Suffix);

    private string AccountsFolder => Path.Join(folder, "accounts");

    private string KeysFolder => Path.Join(folder, "keys");

    /// <summary>Whether there is an operator.</summary>
    internal bool HasOperator => File.Exists(OperatorFile);

    /// <summary>The operator's token as it is.</summary>
    internal string OperatorToken => ReadToken(OperatorFile, "There is no operator yet: create one with 'postrider auth operator add NAME'.");

    internal OperatorClaims ReadOperator() => NatsJwt.DecodeAnyTime<OperatorClaims>(OperatorToken);

    /// <summary>The names of the accounts, in order.</summary>
    internal IReadOnlyList<string> ListAccounts() => List(AccountsFolder);

    /// <summary>The names of an account's users, in order.</summary>
    internal IReadOnlyList<string> ListUsers(string account)
    {
        ReadAccount(account);
        return List(Path.Join(AccountsFolder, account));
    }

    internal AccountClaims ReadAccount(string name) => NatsJwt.DecodeAnyTime<AccountClaims>(ReadAccountToken(name));

    internal string ReadAccountToken(string name)
        => ReadToken(AccountFile(name), $"There is no account '{name}'. Accounts: {Words(ListAccounts())}.");

    internal UserClaims ReadUser(string account, string name) => NatsJwt.DecodeAnyTime<UserClaims>(ReadUserToken(account, name));

    internal string ReadUserToken(string account, string name)
        => ReadToken(UserFile(account, name), $"There is no user '{name}' in account '{account}'. Users: {Words(ListUsers(account))}.");

    internal bool HasAccount(string name) => File.Exists(AccountFile(name));

    internal bool HasUser(string account, string name) => File.Exists(UserFile(account, name));

    /// <summary>Signs an operator's claims with its own key and stores them.</summary>
    internal void WriteOperator(OperatorClaims claims)
    {
        using var key = ReadKey(claims.Subject);
        Write(OperatorFile, claims, key);
    }

    /// <summary>Signs an account's claims with a signing key of the operator, or its own key where it has none, and stores them.</summary>
    internal void WriteAccount(AccountClaims claims)
    {
        var authority = ReadOperator();
        using var key = authority.SigningKeys.Select(TryReadKey).FirstOrDefault(static key => key is not null)
            ?? (authority.RequireSigningKeys ? throw new AuthorityException("The operator requires signing keys, and the seed of none is in the folder's keys.") : ReadKey(authority.Subject));
        Write(AccountFile(claims.Name!), claims, key);
    }

    /// <summary>Signs a user's claims and stores them.</summary>
    /// <param name="account">The account.</param>
    /// <param name="claims">The claims; <see cref="UserClaims.Settings"/> is null for a user whose role says what it may do.</param>
    /// <param name="signer">The account's key or a signing key of it.</param>
    internal void WriteUser(AccountClaims account, UserClaims claims, string signer)
    {
        using var key = ReadKey(signer);
        Write(UserFile(account.Name!, claims.Name!), claims with { IssuerAccount = signer == account.Subject ? null : account.Subject }, key);
    }

    /// <summary>Creates a key and stores its seed.</summary>
    /// <returns>The public key.</returns>
    internal string AddKey(NkeyKind kind)
    {
        using var key = NkeyPair.Create(kind);
        AddKey(key);
        return key.PublicKey;
    }

    /// <summary>Stores a key's seed.</summary>
    internal void AddKey(NkeyPair key)
    {
        CreateFolder(KeysFolder);
        SeedFile.Write(KeyFile(key.PublicKey), key);
    }

    /// <summary>Reads the key that belongs to a public one.</summary>
    internal NkeyPair ReadKey(string publicKey)
        => TryReadKey(publicKey) ?? throw new AuthorityException($"The seed of {publicKey} is not in {KeysFolder}.");

    /// <summary>Throws if the text is not a valid file name.</summary>
    internal static string CheckName(string name)
    {
        var isName = name.Length is > 0 and <= MaxNameLength && name[0] != '.' && name.All(static letter => char.IsAsciiLetterOrDigit(letter) || letter is '-' or '_' or '.');
        return isName ? name : throw new AuthorityException($"'{name}' is not a name: up to {MaxNameLength} letters, digits, '-', '_' and '.', not beginning with '.'.");
    }

    private static IReadOnlyList<string> List(string folder)
        => Directory.Exists(folder) ? [.. Directory.EnumerateFiles(folder, "*" + Suffix).Select(static file => Path.GetFileNameWithoutExtension(file)).Order(StringComparer.Ordinal)] : [];

    private static string Words(IReadOnlyList<string> names) => names.Count == 0 ? "none" : string.Join(", ", names);

    private static string ReadToken(string file, string missing)
        => File.Exists(file) ? File.ReadAllText(file).Trim() : throw new AuthorityException(missing);

    private static void CreateFolder(string path)
    {
        if (OperatingSystem.IsWindows()) Directory.CreateDirectory(path);
        else Directory.CreateDirectory(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
    }

    private void Write(string file, JwtClaims claims, NkeyPair key)
    {
        if (claims.FindProblems() is { Count: > 0 } problems) throw new AuthorityException(string.Join(' ', problems));
        var token = claims.Encode(key, time);
        CreateFolder(Path.GetDirectoryName(Path.GetFullPath(file))!);
        var written = $"{file}.{Path.GetRandomFileName()}";
        File.WriteAllText(written, token + "\n");
        File.Move(written, file, overwrite: true);
    }

    private NkeyPair? TryReadKey(string publicKey) => File.Exists(KeyFile(publicKey)) ? SeedFile.Read(KeyFile(publicKey)) : null;

    private string AccountFile(string name) => Path.Join(AccountsFolder, CheckName(name) + Suffix);

    private string UserFile(string account, string name) => Path.Join(AccountsFolder, CheckName(account), CheckName(name) + Suffix);

    private string KeyFile(string publicKey) => Path.Join(KeysFolder, PublicNkey.Parse(publicKey) + ".nk");
}
