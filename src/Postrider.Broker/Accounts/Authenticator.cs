using Postrider.Wire.Frames;

namespace Postrider.Broker.Accounts;

/// <summary>Decides who a connection is.</summary>
internal sealed class Authenticator
{
    private readonly Dictionary<string, Entry> _users = new(StringComparer.Ordinal);
    private readonly StoredCredential? _token;
    private readonly User _anybody;
    private readonly string? _noAuthUser;

    /// <summary>Reads the options.</summary>
    /// <param name="options">The options, or null when anybody may connect.</param>
    /// <param name="account">The account of all its users.</param>
    public Authenticator(AuthorizationOptions? options, Account account)
    {
        _anybody = new User(null, account, null);
        if (options is null) return;
        if (!string.IsNullOrEmpty(options.Token)) _token = new StoredCredential(options.Token);
        if (!string.IsNullOrEmpty(options.User)) Add(new UserOptions { Name = options.User, Password = options.Password ?? "" }, options, account);
        foreach (var user in options.Users) Add(user, options, account);
        _noAuthUser = options.NoAuthUser;
        IsRequired = options.IsRequired;
    }

    /// <summary>Whether a client must give credentials.</summary>
    public bool IsRequired { get; }

    /// <summary>Whether a client that gives none is a user all the same.</summary>
    public bool HasNoAuthUser => _noAuthUser is not null && _users.ContainsKey(_noAuthUser);

    /// <summary>The user of a client that sends no CONNECT, where one is configured; else null.</summary>
    public User? WithoutConnect => HasNoAuthUser ? _users[_noAuthUser!].User : null;

    /// <summary>Whether checking the credentials takes long, so that it must not be done on a loop.</summary>
    public bool UsesPasswordHash(ConnectInfo connect)
        => (_token?.UsesPasswordHash ?? false) || (connect.User is { } name && _users.TryGetValue(name, out var entry) && entry.Secret.UsesPasswordHash);

    /// <summary>Finds the user of a CONNECT.</summary>
    /// <returns>Null when the credentials are missing or wrong.</returns>
    public User? Find(ConnectInfo connect)
    {
        if (!IsRequired) return _anybody;
        if (_token is not null) return Matches(_token, connect.Token) ? _anybody : null;
        if (string.IsNullOrEmpty(connect.User) && string.IsNullOrEmpty(connect.Token)) return WithoutConnect;
        if (connect.User is null || !_users.TryGetValue(connect.User, out var entry)) return null;
        return Matches(entry.Secret, connect.Password) && entry.Allows ? entry.User : null;
    }

    /// <summary>Whether there is a user of that name.</summary>
    public bool IsKnownUser(string name) => _users.ContainsKey(name);

    /// <summary>Finds the user of a connection that an earlier authenticator let in.</summary>
    /// <param name="current">Who it is now.</param>
    /// <param name="connect">What it said in CONNECT.</param>
    /// <param name="before">The earlier authenticator: what it checked and what is written the same now is not checked again.</param>
    /// <returns>Null when it may not stay.</returns>
    public User? Renew(User? current, ConnectInfo connect, Authenticator before)
    {
        if (_token is not null && before._token is not null && _token.IsSameAs(before._token)) return _anybody;
        var isUnchanged = current?.Name is { } name
            && string.Equals(name, connect.User, StringComparison.Ordinal)
            && _users.TryGetValue(name, out var entry)
            && before._users.TryGetValue(name, out var earlier)
            && entry.Allows
            && entry.Secret.IsSameAs(earlier.Secret);
        return isUnchanged ? _users[current!.Name!].User : Find(connect);
    }

    private static bool Matches(StoredCredential secret, string? given) => secret.Matches(System.Text.Encoding.UTF8.GetBytes(given ?? ""));

    private void Add(UserOptions user, AuthorizationOptions options, Account account)
    {
        var permissions = UserPermissions.Create(user.Permissions ?? options.DefaultPermissions);
        var allows = user.AllowedConnectionTypes is not { Count: > 0 } types
            || types.Contains("STANDARD", StringComparer.OrdinalIgnoreCase);
        _users[user.Name] = new Entry(new User(user.Name, account, permissions), new StoredCredential(user.Password), allows);
    }

    private sealed record Entry(User User, StoredCredential Secret, bool Allows);
}
