using System.CommandLine;
using Postrider.Credentials;

namespace Postrider.CommandLine.Verbs;

/// <summary>Subjects that may be published and subscribed to, on the command line: given options replace values, the rest is kept.</summary>
internal sealed class PermissionFlags
{
    private const int DefaultResponses = 1;

    private readonly Option<string[]?> _allowPublish = AuthVerb.Words("--allow-pub", "Subjects that may be published to");
    private readonly Option<string[]?> _denyPublish = AuthVerb.Words("--deny-pub", "Subjects that must not be published to");
    private readonly Option<string[]?> _allowSubscribe = AuthVerb.Words("--allow-sub", "Subjects that may be subscribed to, with an optional queue group behind a space");
    private readonly Option<string[]?> _denySubscribe = AuthVerb.Words("--deny-sub", "Subjects that must not be subscribed to");

    private readonly Option<int?> _responses = new Option<int?>("--allow-responses")
    {
        Description = "Answers allowed to one message on its reply subject (1); -1 for no limit, 0 for none",
        Arity = ArgumentArity.ZeroOrOne,
        CustomParser = static argument =>
        {
            if (argument.Tokens.Count == 0) return DefaultResponses;
            if (int.TryParse(argument.Tokens[0].Value, System.Globalization.CultureInfo.InvariantCulture, out var number) && number >= -1) return number;
            argument.AddError("--allow-responses must be a whole number of at least -1.");
            return null;
        },
    };

    private readonly Option<TimeSpan?> _responseTime = JetStreamVerb.Time("--response-ttl", "How long after a message it may be answered");

    internal IEnumerable<Option> All => [_allowPublish, _denyPublish, _allowSubscribe, _denySubscribe, _responses, _responseTime];

    internal ClaimPermissions Apply(ClaimPermissions permissions, ParseResult result) => new()
    {
        Publish = new SubjectAccess { Allow = JetStreamVerb.Given(result, _allowPublish) ?? permissions.Publish.Allow, Deny = JetStreamVerb.Given(result, _denyPublish) ?? permissions.Publish.Deny },
        Subscribe = new SubjectAccess { Allow = JetStreamVerb.Given(result, _allowSubscribe) ?? permissions.Subscribe.Allow, Deny = JetStreamVerb.Given(result, _denySubscribe) ?? permissions.Subscribe.Deny },
        Responses = ApplyResponses(permissions.Responses, result),
    };

    private ResponseAccess? ApplyResponses(ResponseAccess? before, ParseResult result)
    {
        if (!AuthVerb.IsGiven(result, _responses) && result.GetValue(_responseTime) is null) return before;
        var count = result.GetValue(_responses) ?? before?.MaxMessages ?? DefaultResponses;
        return count == 0 ? null : new ResponseAccess(count, result.GetValue(_responseTime) ?? before?.Expires ?? TimeSpan.Zero);
    }
}
