using Postrider.Storage.Encryption;
using Postrider.Storage.Files;

namespace Postrider.UnitTests.Storage.Encryption;

/// <summary>The same kills, power cuts and refusals, for a store that is encrypted.</summary>
public sealed class EncryptedCrashTests : CrashTests
{
    private protected override IStoreFolder View(SimulatedDisk disk) => new EncryptedFolder(disk, TestKeys.ChaCha);
}
