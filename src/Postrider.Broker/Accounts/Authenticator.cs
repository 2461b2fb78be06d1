using Postrider.Credentials;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Accounts;

/// <summary>Finds the user that a connection authenticates as.</summary>
internal sealed class Authenticator
{
    private readonly Dictionary<string, Entry> _users = new(StringComparer.Ordinal);
    private readonly StoredCredential? _token;
    private readonly User _anybody;
    private readonly User? _anonymous;
    private readonly string? _noAuthUser;
    private readonly bool _mapsCertificates;
    private readonly string[] _typesMappedElsewhere = [];
    private readonly StoredCredential? _decoy;
    private long _hashChecks;

    /// <summary>Reads the options.</summary>
    /// <param name="options">The broker's options.</param>
    /// <param name="accounts">The accounts that its users belong to.</param>
    /// <param name="tls">The TLS options of the listener; null without TLS.</param>
    public Authenticator(BrokerOptions options, AccountRegistry accounts, ServerTlsOptions? tls)
    {
        _anybody = new User(null, accounts.Global, null);
        IsRequired = options.RequiresAuthentication;
        // In operator mode the user follows from the token alone.
        if (options.OperatorMode is { IsOn: true }) return;
        // Without a list of users there is nothing to map to.
        _mapsCertificates = tls is { VerifyAndMap: true } && (options.Authorization is { Users.Count: > 0 } || options.Accounts.Any(static account => account.Users.Count > 0));
        if (!_mapsCertificates) _typesMappedElsewhere = [.. ConnectionTypes.Mapped(options)];
        if (options.Authorization is { } authorization)
        {
            _noAuthUser = authorization.NoAuthUser;
            Callout = authorization.Callout;
            if (!string.IsNullOrEmpty(authorization.Token)) _token = new StoredCredential(authorization.Token);
            if (!string.IsNullOrEmpty(authorization.User))
                Add(new UserOptions { Name = authorization.User, Password = authorization.Password ?? "" }, authorization.DefaultPermissions, accounts.Global);
            foreach (var user in authorization.Users) Add(user, authorization.DefaultPermissions, accounts.Global, isListed: true);
        }
        foreach (var definition in options.Accounts)
        {
            if (accounts.Find(definition.Name) is not { } account) continue;
            foreach (var user in definition.Users) Add(user, definition.DefaultPermissions, account, isListed: true);
        }
        if (options.HasSystemUsersOnly) _anonymous = _anybody;
        _decoy = StoredCredential.DecoyOf(_users.Values.Select(static entry => entry.Secret));
    }

    /// <summary>The service that authenticates clients; null for none.</summary>
    public AuthCalloutOptions? Callout { get; }

    /// <summary>Whether a client must give credentials.</summary>
    public bool IsRequired { get; }

    /// <summary>Whether there are users that authenticate with an nkey, so that each INFO needs a nonce.</summary>
    public bool HasNkeys { get; private set; }

    /// <summary>How many passwords and tokens were checked against a hash.</summary>
    public long HashChecks => Interlocked.Read(ref _hashChecks);

    /// <summary>Whether clients without credentials are mapped to a user.</summary>
    public bool HasNoAuthUser => _noAuthUser is not null && _users.ContainsKey(_noAuthUser);

    /// <summary>The user of a connection without credentials, also of one without CONNECT.</summary>
    /// <param name="connectionType">The connection type that users can be restricted to.</param>
    /// <returns>Null where none is configured, and if it may not use such a connection.</returns>
    public User? FindWithoutCredentials(string connectionType)
    {
        if (_mapsCertificates) return null;
        if (_noAuthUser is null || !_users.TryGetValue(_noAuthUser, out var entry)) return _anonymous;
        return entry.Allows(connectionType) ? entry.User : null;
    }

    /// <summary>Whether checking the credentials is slow, so that it must not be done on a loop.</summary>
    public bool UsesPasswordHash(ConnectInfo connect)
        => (_token?.UsesPasswordHash ?? false)
            || (_mapsCertificates && _users.Values.Any(static entry => entry.Secret.UsesPasswordHash))
            || (_decoy is not null && !string.IsNullOrEmpty(connect.User));

    /// <summary>Finds the user of a CONNECT.</summary>
    /// <param name="request">The credentials of the connection.</param>
    /// <returns>Null when the credentials are missing or wrong.</returns>
    public User? Find(AuthenticationRequest request)
    {
        if (!IsRequired) return _anybody;
        var connect = request.Connect;
        // Before everything else, as in nats-server: a client that names an nkey is that user or is rejected.
        if (HasNkeys && !string.IsNullOrEmpty(connect.Nkey)) return FindNkey(request);
        if (_mapsCertificates) return FindMapped(request);
        if (_token is not null) return Matches(_token, connect.Token) ? _anybody : null;
        if (string.IsNullOrEmpty(connect.User) && string.IsNullOrEmpty(connect.Password) && string.IsNullOrEmpty(connect.Token))
            return FindWithoutCredentials(request.ConnectionType);
        var entry = connect.User is { } name && _users.TryGetValue(name, out var listed) && listed is { Key: null, NeedsCertificate: false } ? listed : null;
        if (entry is not null && Matches(entry.Secret, connect.Password)) return entry.Allows(request) ? entry.User : null;
        // Every wrong attempt takes as long, so that the time does not tell which names exist.
        if (_decoy is not null && !string.IsNullOrEmpty(connect.User) && entry is not { Secret.Cost: > 0 }) _ = Matches(_decoy, connect.Password);
        return null;
    }

    /// <summary>Whether there is a user with that name.</summary>
    public bool IsKnownUser(string name) => _users.ContainsKey(name);

    /// <summary>Finds the user of a connection that an earlier authenticator accepted.</summary>
    /// <param name="current">The user that it is now.</param>
    /// <param name="request">The credentials that it presented then.</param>
    /// <param name="before">The earlier authenticator: secrets that it checked and that have not changed are not checked again.</param>
    /// <returns>Null when the connection must be closed.</returns>
    public User? Renew(User? current, AuthenticationRequest request, Authenticator before)
    {
        // A client that signed the nonce at the time of CONNECT need not sign it again.
        if (current?.Name is { } key && before.IsNkey(key)) return IsNkey(key) && _users[key].Allows(request) ? _users[key].User : null;
        if (_token is not null && before._token is not null && _token.IsSameAs(before._token)) return _anybody;
        var isUnchanged = !_mapsCertificates
            && current?.Name is { } name
            && string.Equals(name, request.Connect.User, StringComparison.Ordinal)
            && _users.TryGetValue(name, out var entry)
            && before._users.TryGetValue(name, out var earlier)
            && entry is { NeedsCertificate: false }
            && entry.Allows(request)
            && entry.Secret.IsSameAs(earlier.Secret);
        return isUnchanged ? _users[current!.Name!].User : Find(request);
    }

    private bool IsNkey(string name) => _users.TryGetValue(name, out var entry) && entry.Key is not null;

    private User? FindNkey(AuthenticationRequest request)
    {
        var name = request.Connect.Nkey!;
        if (!_users.TryGetValue(name, out var entry) || entry.Key is not { } key || !entry.Allows(request)) return null;
        var isNoAuthUser = string.Equals(name, _noAuthUser, StringComparison.Ordinal);
        return isNoAuthUser || NkeySignature.Verify(key, request.Nonce, request.Connect.Signature) ? entry.User : null;
    }

    // If two users match, the one whose name comes first in the certificate is taken.
    private User? FindMapped(AuthenticationRequest request)
    {
        if (request.Certificate is null || CertificateNames.TryRead(request.Certificate) is not { } names) return null;
        var found = names.Alternatives.Select(name => FindAllowed(name, request)).FirstOrDefault(static entry => entry is not null)
            ?? FindBySubject(names.Subject, request)
            ?? names.Written.Select(name => FindAllowed(name, request)).FirstOrDefault(static entry => entry is not null);
        return found is not null && Matches(found.Secret, request.Connect.Password) ? found.User : null;
    }

    private Entry? FindAllowed(string name, AuthenticationRequest request)
        => _users.TryGetValue(name, out var entry) && entry.Key is null && entry.Allows(request) ? entry : null;

    private Entry? FindBySubject(DistinguishedName? subject, AuthenticationRequest request)
    {
        if (subject is null) return null;
        var named = _users.Where(pair => pair.Value.Key is null && pair.Value.Allows(request))
            .Select(static pair => (Name: DistinguishedName.TryParse(pair.Key), Entry: pair.Value))
            .Where(static pair => pair.Name is { IsEmpty: false })
            .ToList();
        return named.Find(pair => pair.Name!.Matches(subject)).Entry ?? named.Find(pair => pair.Name!.MatchesReordered(subject)).Entry;
    }

    private bool Matches(StoredCredential secret, string? given)
    {
        if (secret.UsesPasswordHash) Interlocked.Increment(ref _hashChecks);
        return secret.Matches(System.Text.Encoding.UTF8.GetBytes(given ?? ""));
    }

    private void Add(UserOptions user, PermissionOptions? defaultPermissions, Account account, bool isListed = false)
    {
        var permissions = UserPermissions.Create(user.Permissions ?? defaultPermissions);
        var key = user.IsNkey ? PublicNkey.Parse(user.Name) : null;
        HasNkeys |= key is not null;
        var entry = new Entry(new User(user.Name, account, permissions), new StoredCredential(user.Password), key, user.AllowedConnectionTypes ?? []);
        // An empty password must not be enough where another listener asks for the user's certificate.
        var needsCertificate = isListed && string.IsNullOrEmpty(user.Password) && user.Name != _noAuthUser && Array.Exists(_typesMappedElsewhere, entry.Allows);
        _users[user.Name] = entry with { NeedsCertificate = needsCertificate };
    }

    private sealed record Entry(User User, StoredCredential Secret, PublicNkey? Key, IReadOnlyList<string> AllowedTypes)
    {
        public bool NeedsCertificate { get; init; }

        public bool Allows(AuthenticationRequest request) => Allows(request.ConnectionType);

        public bool Allows(string connectionType) => AllowedTypes.Count == 0 || AllowedTypes.Contains(connectionType, StringComparer.OrdinalIgnoreCase);
    }
}
