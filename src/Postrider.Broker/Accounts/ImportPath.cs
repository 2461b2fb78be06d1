using System.Text;
using Postrider.Broker.Subjects;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Accounts;

/// <summary>How subjects become others on their way into another account, checked.</summary>
/// <remarks>Immutable and thread-safe. Source: nats-server's <c>addServiceImport</c> and <c>addMappedStreamImportWithClaim</c>.</remarks>
internal sealed class ImportPath
{
    /// <summary>What is wrong with a subject that is none.</summary>
    public const string InvalidSubject = "sublist: invalid subject";

    private ImportPath(string from, string to, SubjectTransform? transform, bool keepsSubject)
        => (From, To, Transform, KeepsSubject) = (from, to, transform, keepsSubject);

    /// <summary>Where messages come from: of a stream the exporting account's subject or pattern, of a service the importing account's.</summary>
    public string From { get; }

    /// <summary>Where they go to, in the other account.</summary>
    public string To { get; }

    /// <summary>Makes the one of the other; null where <see cref="To"/> is what every subject becomes, or each stays as it is.</summary>
    public SubjectTransform? Transform { get; }

    /// <summary>Whether each subject stays as it is.</summary>
    public bool KeepsSubject { get; }

    /// <summary>Prepares an import.</summary>
    /// <param name="import">The import.</param>
    /// <param name="problem">What is wrong with it in nats-server's words.</param>
    /// <returns>Null when something is wrong.</returns>
    public static ImportPath? Create(ImportOptions import, out string? problem)
        => import.Type == ExportType.Stream ? CreateStream(import, out problem) : CreateService(import, out problem);

    /// <summary>The subject or pattern in the importing account, as the options have it.</summary>
    public static string LocalSubject(ImportOptions import)
    {
        if (!string.IsNullOrEmpty(import.Prefix)) return import.Prefix.EndsWith('.') ? import.Prefix + import.Subject : $"{import.Prefix}.{import.Subject}";
        return string.IsNullOrEmpty(import.To) ? import.Subject : import.To;
    }

    private static ImportPath? CreateStream(ImportOptions import, out string? problem)
    {
        problem = InvalidSubject;
        var (from, to) = (import.Subject, LocalSubject(import));
        if (!IsValid(from) || !IsValid(to)) return null;
        if (!HasWildcard(from)) return Succeed(new ImportPath(from, to, null, keepsSubject: false), out problem);
        if (to == from) return Succeed(new ImportPath(from, to, null, keepsSubject: true), out problem);
        if (!SubjectTransform.TryCreateReversible(from, TransformToken.WithPlaceholders(to), out var transform, out var why))
        {
            problem = $"failed to create mapping transform for stream import subject from {GoQuote.Quote(from)} to {GoQuote.Quote(to)}: {why}";
            return null;
        }
        return Succeed(new ImportPath(from, TransformToken.WithWildcards(to), transform, keepsSubject: false), out problem);
    }

    private static ImportPath? CreateService(ImportOptions import, out string? problem)
    {
        problem = InvalidSubject;
        var (from, to) = (LocalSubject(import), import.Subject);
        if (!IsValid(from) || !IsValid(to)) return null;
        if (!HasWildcard(to)) return Succeed(new ImportPath(from, to, null, keepsSubject: false), out problem);
        if (to == from) return Succeed(new ImportPath(from, to, null, keepsSubject: true), out problem);
        var pattern = TransformToken.WithWildcards(to);
        // The other way round: functions may only stand in the template, and it is the importing account's subject that has them.
        if (!SubjectTransform.TryCreateReversible(pattern, TransformToken.WithPlaceholders(from), out var reverse, out var why) || reverse.Reverse() is not { } transform)
        {
            problem = $"failed to create mapping transform for service import subject from {GoQuote.Quote(from)} to {GoQuote.Quote(pattern)}: {why}";
            return null;
        }
        return Succeed(new ImportPath(TransformToken.WithWildcards(from), pattern, transform, keepsSubject: false), out problem);
    }

    private static ImportPath Succeed(ImportPath path, out string? problem)
    {
        problem = null;
        return path;
    }

    private static bool IsValid(string subject) => Subject.IsValid(Encoding.UTF8.GetBytes(subject));

    private static bool HasWildcard(string subject) => Subject.HasWildcard(Encoding.UTF8.GetBytes(subject));
}
