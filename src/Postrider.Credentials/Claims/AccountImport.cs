using System.Text.Json;
using Postrider.Credentials.Claims;

namespace Postrider.Credentials;

/// <summary>A subject of another account that an account uses.</summary>
public sealed record AccountImport
{
    /// <summary>The name, for people; null for none.</summary>
    public string? Name { get; init; }

    /// <summary>The subject as the exporting account has it.</summary>
    public required string Subject { get; init; }

    /// <summary>The public key of the exporting account.</summary>
    public required string Account { get; init; }

    /// <summary>Whether it is a stream or a service.</summary>
    public required ExportKind Kind { get; init; }

    /// <summary>The activation token, for exports that need one; null for none.</summary>
    public string? Token { get; init; }

    /// <summary>The subject in the importing account, with <c>$1</c> and so on for wildcards; null for the same.</summary>
    public string? LocalSubject { get; init; }

    /// <summary>The deprecated form of <see cref="LocalSubject"/>: the subject in the importing account for services, a prefix of it for
    /// streams; null for none.</summary>
    public string? To { get; init; }

    /// <summary>Whether the service receives information about the requester. Default false.</summary>
    public bool Share { get; init; }

    /// <summary>Whether traces of messages may continue in this account. Default false.</summary>
    public bool AllowTrace { get; init; }

    internal static AccountImport Read(ClaimsReader reader) => new()
    {
        Name = reader.Text("name"),
        Subject = reader.Text("subject") ?? "",
        Account = reader.Text("account") ?? "",
        Token = reader.Text("token"),
        To = reader.Text("to"),
        LocalSubject = reader.Text("local_subject"),
        Kind = ExportKinds.Read(reader, "type"),
        Share = reader.Flag("share"),
        AllowTrace = reader.Flag("allow_trace"),
    };

    internal static void Write(Utf8JsonWriter writer, AccountImport import)
    {
        writer.Text("name", import.Name);
        writer.Text("subject", import.Subject);
        writer.Text("account", import.Account);
        writer.Text("token", import.Token);
        writer.Text("to", import.To);
        writer.Text("local_subject", import.LocalSubject);
        writer.Text("type", ExportKinds.NameOf(import.Kind));
        writer.Flag("share", import.Share);
        writer.Flag("allow_trace", import.AllowTrace);
    }

    internal void AddProblems(List<string> problems)
    {
        SubjectRules.Check(Subject, "The imported subject", problems);
        if (!PublicNkey.IsValid(Account, NkeyKind.Account)) problems.Add($"The account '{Account}' of the import '{Subject}' is not an account key.");
        if (!string.IsNullOrEmpty(LocalSubject) && !string.IsNullOrEmpty(To)) problems.Add($"The import '{Subject}' has both a local subject and the deprecated 'to'.");
        if (Share && Kind == ExportKind.Stream) problems.Add($"The imported stream '{Subject}' shares information about requests, which only services have.");
        if (AllowTrace && Kind == ExportKind.Service) problems.Add($"The imported service '{Subject}' allows traces, which only streams do.");
    }
}
