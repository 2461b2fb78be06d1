using Postrider.Broker;
using Postrider.Storage.Files;

namespace Postrider.UnitTests.Storage.Files;

/// <summary>A store's folder belongs to one server.</summary>
public sealed class StoreLockTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("postrider-lock-").FullName;

    [Fact]
    public async Task Second_broker_on_a_folder_is_refused_and_may_have_it_afterwards()
    {
        BrokerException refused;
        await using (await StartAsync(_folder))
        {
            refused = await Assert.ThrowsAsync<BrokerException>(() => StartAsync(_folder));
        }
        await using var second = await StartAsync(_folder);

        Assert.Equal(BrokerError.CannotReadStore, refused.Error);
        Assert.StartsWith($"Cannot keep streams in {Path.Combine(_folder, "jetstream")}: another server uses this folder.", refused.Message, StringComparison.Ordinal);
        Assert.Contains("BrokerOptions.JetStream.StoreDirectory", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Folder_that_is_a_file_is_refused_before_anybody_is_served()
    {
        var file = Path.Combine(_folder, "file");
        await File.WriteAllTextAsync(file, "", TestContext.Current.CancellationToken);

        var refused = await Assert.ThrowsAsync<BrokerException>(() => StartAsync(file));

        Assert.Equal(BrokerError.CannotReadStore, refused.Error);
        Assert.StartsWith($"Cannot keep streams in {Path.Combine(file, "jetstream")}: '{file}' is a file, not a folder.", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Folder_that_cannot_be_written_is_read_without_a_lock()
    {
        // A folder in the lock's place: even root cannot open it as a file.
        Directory.CreateDirectory(Path.Combine(_folder, StoreLock.FileName));

        using var taken = StoreLock.Acquire(_folder);

        Assert.NotNull(taken.Problem);
    }

    [Fact]
    public async Task Locked_folder_is_encrypted_and_gets_another_key()
    {
        await using (await StartAsync(_folder, "first"))
        {
        }
        await using (await StartAsync(_folder, "second", "first"))
        {
        }

        var refused = await Assert.ThrowsAsync<BrokerException>(() => StartAsync(_folder, "first"));
        await using var third = await StartAsync(_folder, "second");

        Assert.Contains("the key does not match", refused.Message, StringComparison.Ordinal);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static Task<NatsBroker> StartAsync(string folder, string? key = null, string? previousKey = null)
        => NatsBroker.StartAsync(new BrokerOptions { Listen = false, JetStream = new JetStreamOptions { StoreDirectory = folder, EncryptionKey = key, PreviousEncryptionKey = previousKey } });
}
