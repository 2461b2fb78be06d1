using System.Text;
using Postrider.Broker.Accounts;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Hosting;

/// <summary>Forwards JetStream API requests from the accounts of a broker without streams to the servers of its cluster that have them, through the
/// system account, where these servers serve each other's requests.</summary>
/// <remarks>Not thread-safe: the account registry calls it for one change at a time. Source: nats-server, JetStream in
/// clusters.</remarks>
/// <param name="registry">The accounts.</param>
internal sealed class ClusterJetStreamApi(AccountRegistry registry)
{
    private const string Subjects = "$JS.API.>";

    // Servers with streams expect these requests in the account itself.
    private static readonly byte[][] ServedInAccount = [[.. "$JS.API.CONSUMER.MSG.NEXT."u8], [.. "$JS.API.DIRECT.GET."u8]];

    private readonly Dictionary<Account, ServiceImport> _imports = [];

    /// <summary>Offers the API in an account, or withdraws it when the account now imports it from another one.</summary>
    public void Update(Account account)
    {
        if (registry.System is not { } system || account.IsSystem) return;
        if (account.Definition.Imports.Any(IsApi))
        {
            Remove(account);
            return;
        }
        if (_imports.ContainsKey(account)) return;
        var options = new ImportOptions { Type = ExportType.Service, Account = system.Name, Subject = Subjects, Share = true };
        var export = new ServiceExport(system.Name, Subjects, ServiceResponseType.Singleton, ExportOptions.DefaultResponseThreshold, null);
        var import = new ServiceImport(registry, account, system, options, ImportPath.Create(options, out _)!, export) { Excluded = ServedInAccount };
        _imports[account] = import;
        import.Open();
    }

    /// <summary>Withdraws the API from an account.</summary>
    public void Remove(Account account)
    {
        if (_imports.Remove(account, out var import)) import.Close();
    }

    private static bool IsApi(ImportOptions import)
        => import.Type == ExportType.Service && Subject.Matches("$JS.API.INFO"u8, Encoding.UTF8.GetBytes(ImportPath.LocalSubject(import)));
}
