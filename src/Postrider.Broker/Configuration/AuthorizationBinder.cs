using Postrider.Credentials;

namespace Postrider.Broker.Configuration;

/// <summary>Turns the <c>authorization</c> block into options.</summary>
internal sealed class AuthorizationBinder(ConfigReader reader)
{
    private static readonly string[] ConnectionTypes =
        ["STANDARD", "WEBSOCKET", "LEAFNODE", "LEAFNODE_WS", "MQTT", "MQTT_WS", "IN_PROCESS"];

    private static readonly TimeSpan HighTimeout = TimeSpan.FromSeconds(60);

    internal void Read(ConfigValue block, BrokerOptions options)
    {
        if (reader.Map("authorization", block) is not { } map)
            return;
        var authorization = new AuthorizationOptions { NoAuthUser = options.Authorization?.NoAuthUser };
        var hasUsers = false;
        foreach (var (key, value) in map)
        {
            switch (key.ToLowerInvariant())
            {
                case "user" or "username":
                    reader.Text(key, value, text => authorization.User = text);
                    break;
                case "pass" or "password":
                    reader.Text(key, value, text => authorization.Password = text);
                    break;
                case "token":
                    reader.Text(key, value, text => authorization.Token = text);
                    break;
                case "timeout":
                    ReadTimeout(key, value, options);
                    break;
                case "users":
                    hasUsers = true;
                    authorization.Users = ReadUsers(value);
                    break;
                case "default_permission" or "default_permissions" or "permissions":
                    authorization.DefaultPermissions = ReadPermissions(value);
                    break;
                case "auth_callout" or "auth_hook":
                    authorization.Callout = new AuthCalloutBinder(reader).Read(value);
                    break;
                case "proxy_required" when !UnsupportedKeys.IsOff(value):
                    NotYet(key, value);
                    break;
                case "proxy_required":
                    break;
                default:
                    reader.Unknown(key, value);
                    break;
            }
        }
        CheckTogether(authorization, hasUsers, block.Position);
        options.Authorization = authorization;
    }

    private void CheckTogether(AuthorizationOptions authorization, bool hasUsers, ConfigPosition position)
    {
        var (hasUser, hasToken) = (!string.IsNullOrEmpty(authorization.User), !string.IsNullOrEmpty(authorization.Token));
        if ((hasUser || !string.IsNullOrEmpty(authorization.Password)) && hasToken)
            reader.Findings.Error(position, "Cannot have a user/pass and token");
        else if (hasUsers && hasUser)
            reader.Findings.Error(position, "Can not have a single user/pass and a users array");
        else if (hasUsers && hasToken)
            reader.Findings.Error(position, "Can not have a token and a users array");
        var names = new HashSet<string>(StringComparer.Ordinal);
        foreach (var user in authorization.Users)
            if (!names.Add(user.Name))
                reader.Findings.Error(position, $"Duplicate {(user.IsNkey ? "nkey" : "user")} {GoQuote.Quote(user.Name)} detected");
    }

    private void ReadTimeout(string key, ConfigValue value, BrokerOptions options)
    {
        TimeSpan? timeout = null;
        if (value.Content is long or double)
            timeout = ConfigReader.Seconds(value);
        else if (value.Content is not string text)
            reader.Findings.Error(value.Position, "error parsing authorization config, 'timeout' wrong type");
        else if (GoDuration.TryParse(text, out var parsed, out var error))
            timeout = parsed;
        else
            reader.Findings.Error(value.Position, $"error parsing authorization config, 'timeout' {error}");
        if (timeout is not { } duration)
            return;
        if (duration > HighTimeout)
            reader.Findings.Warn(value.Position, key, $"timeout of {GoDuration.Format(duration)} is high, consider keeping it under 60 seconds. possibly caused by unquoted duration; use '1m' instead of 1m, for example");
        if (duration != TimeSpan.Zero)
            options.AuthTimeout = duration;
    }

    /// <summary>Reads a list of users.</summary>
    internal List<UserOptions> ReadUsers(ConfigValue value)
    {
        var users = new List<UserOptions>();
        if (value.Content is not List<ConfigValue> entries)
        {
            reader.Findings.Error(value.Position, $"Expected users field to be an array, got {value.KindName}");
            return users;
        }
        foreach (var entry in entries)
        {
            if (entry.Content is not ConfigMap map)
                reader.Findings.Error(entry.Position, $"Expected user entry to be a map/struct, got {entry.KindName}");
            else if (ReadUser(map, entry.Position) is { } user)
                users.Add(user);
        }
        return users;
    }

    private UserOptions? ReadUser(ConfigMap map, ConfigPosition position)
    {
        var user = new UserOptions { Name = "" };
        var nkey = "";
        foreach (var (key, value) in map)
        {
            switch (key.ToLowerInvariant())
            {
                case "user" or "username":
                    reader.Text(key, value, text => user.Name = text);
                    break;
                case "pass" or "password":
                    reader.Text(key, value, text => user.Password = text);
                    break;
                case "permission" or "permissions" or "authorization":
                    user.Permissions = ReadPermissions(value);
                    break;
                case "allowed_connection_types" or "connection_types" or "clients":
                    user.AllowedConnectionTypes = ReadConnectionTypes(value);
                    break;
                case "nkey":
                    reader.Text(key, value, text => nkey = text);
                    break;
                case "proxy_required" when UnsupportedKeys.IsOff(value):
                    break;
                case "proxy_required":
                    NotYet(key, value);
                    break;
                default:
                    reader.Unknown(key, value);
                    break;
            }
        }
        if (nkey.Length == 0)
        {
            if (user.Name.Length > 0)
                return user;
            reader.Findings.Error(position, "User entry requires a user");
        }
        else if (!PublicNkey.IsValid(nkey, NkeyKind.User))
        {
            reader.Findings.Error(position, "Not a valid public nkey for a user");
        }
        else if (user.Name.Length > 0 || user.Password.Length > 0)
        {
            reader.Findings.Error(position, "Nkey users do not take usernames or passwords");
        }
        else
        {
            return user with { Name = nkey, IsNkey = true };
        }
        return null;
    }

    private List<string>? ReadConnectionTypes(ConfigValue value)
    {
        var types = reader.Texts("allowed connection types", value)?.Select(type => type.ToUpperInvariant()).ToList();
        var unknown = types?.Except(ConnectionTypes, StringComparer.Ordinal).ToList();
        if (unknown is { Count: > 0 })
            reader.Findings.Error(value.Position, $"invalid connection types [{string.Join(' ', unknown.Select(GoQuote.Quote))}]");
        return types;
    }

    /// <summary>Reads permissions.</summary>
    internal PermissionOptions? ReadPermissions(ConfigValue block)
    {
        if (block.Content is not ConfigMap map)
        {
            reader.Findings.Error(block.Position, $"Expected permissions to be a map/struct, got {block.KindName}");
            return null;
        }
        var permissions = new PermissionOptions();
        foreach (var (key, value) in map)
        {
            switch (key.ToLowerInvariant())
            {
                case "pub" or "publish" or "import":
                    permissions.Publish = ReadSubjectPermission(value, allowQueue: false);
                    break;
                case "sub" or "subscribe" or "export":
                    permissions.Subscribe = ReadSubjectPermission(value, allowQueue: true);
                    break;
                case "publish_allow_responses" or "allow_responses":
                    permissions.Responses = ReadResponses(value);
                    break;
                default:
                    if (!value.IsReferenced)
                        reader.Findings.Error(value.Position, $"Unknown field {GoQuote.Quote(key)} parsing permissions");
                    break;
            }
        }
        // Responses are an exception to what may be published: without a list of allowed subjects, nothing else is allowed.
        if (permissions.Responses is not null)
            (permissions.Publish ??= new()).Allow ??= [];
        return permissions;
    }

    private SubjectPermission? ReadSubjectPermission(ConfigValue block, bool allowQueue)
    {
        if (block.Content is not ConfigMap map)
            return new SubjectPermission { Allow = ReadSubjects(block, allowQueue) };
        if (map.Count == 0)
            return null;
        var permission = new SubjectPermission();
        foreach (var (key, value) in map)
        {
            switch (key.ToLowerInvariant())
            {
                case "allow":
                    permission.Allow = ReadSubjects(value, allowQueue);
                    break;
                case "deny":
                    permission.Deny = ReadSubjects(value, allowQueue);
                    break;
                default:
                    if (!value.IsReferenced)
                        reader.Findings.Error(value.Position, $"Unknown field name {GoQuote.Quote(key)} parsing subject permissions, only 'allow' or 'deny' are permitted");
                    break;
            }
        }
        return permission;
    }

    private List<string> ReadSubjects(ConfigValue value, bool allowQueue)
    {
        var subjects = new List<string>();
        if (value.Content is string single)
            subjects.Add(single);
        else if (value.Content is List<ConfigValue> entries)
            foreach (var entry in entries)
            {
                if (entry.Content is string subject)
                    subjects.Add(subject);
                else
                    reader.Findings.Error(entry.Position, "Subject in permissions array cannot be cast to string");
            }
        else
            reader.Findings.Error(value.Position, $"Expected subject permissions to be a subject, or array of subjects, got {value.KindName}");
        foreach (var subject in subjects)
            if (BrokerOptionsValidator.SubjectProblem(subject, allowQueue) is { } problem)
                reader.Findings.Error(value.Position, problem);
        return subjects;
    }

    private ResponsePermission? ReadResponses(ConfigValue block)
    {
        if (block.Content is bool allowed)
            return allowed ? new ResponsePermission() : null;
        if (block.Content is not ConfigMap map)
        {
            reader.Findings.Error(block.Position, "error parsing response permissions, expected a boolean or a map");
            return null;
        }
        var permission = new ResponsePermission();
        foreach (var (key, value) in map)
        {
            switch (key.ToLowerInvariant())
            {
                // Zero leaves the default; a negative value means no limit.
                case "max" or "max_msgs" or "max_messages" or "max_responses":
                    reader.Integer(key, value, int.MinValue, int.MaxValue, max => permission.MaxMessages = max == 0 ? permission.MaxMessages : (int)max);
                    break;
                case "expires" or "expiration" or "ttl":
                    ReadExpires(value, permission);
                    break;
                default:
                    if (!value.IsReferenced)
                        reader.Findings.Error(value.Position, $"Unknown field {GoQuote.Quote(key)} parsing permissions");
                    break;
            }
        }
        return permission;
    }

    private void ReadExpires(ConfigValue value, ResponsePermission permission)
    {
        if (value.Content is not string text)
            reader.Findings.Error(value.Position, "error parsing expires, not a duration string");
        else if (!GoDuration.TryParse(text, out var expires, out var error))
            reader.Findings.Error(value.Position, $"error parsing expires: {error}");
        else if (expires != TimeSpan.Zero)
            permission.Expires = expires;
    }

    private void NotYet(string key, ConfigValue value) =>
        reader.Findings.Error(value.Position, $"{GoQuote.Quote(key)} is not supported yet");
}
