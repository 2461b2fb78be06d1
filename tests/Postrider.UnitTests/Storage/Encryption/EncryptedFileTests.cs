using System.Text;
using Postrider.Storage.Encryption;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;

namespace Postrider.UnitTests.Storage.Encryption;

/// <summary>One encrypted file: it behaves like a plain one, nothing is readable, and nothing is believed that was changed.</summary>
public sealed class EncryptedFileTests
{
    private const string Name = "file";

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Random_writes_cuts_and_reads_agree_with_a_plain_file_and_no_nonce_comes_twice(bool aes)
    {
        var seed = Seed.Next();
        var random = new Random(seed);
        var disk = new SimulatedDisk();
        var reference = new List<byte>();
        var nonces = new Dictionary<string, string>();
        IStoreFile file = new EncryptedFolder(disk, TestKeys.Of(aes)).Create(Name);
        for (var step = 0; step < 1500; step++)
        {
            var where = $"seed {seed} step {step}";
            switch (random.Next(10))
            {
                case < 5:
                    var bytes = new byte[random.Next(8) == 0 ? random.Next(200_000) : random.Next(300)];
                    random.NextBytes(bytes);
                    // At the end, over what is there, or beyond the end.
                    var at = random.Next(4) > 0 ? reference.Count : random.Next(reference.Count + 50);
                    file.Write(at, bytes);
                    if (bytes.Length > 0) while (reference.Count < at + bytes.Length) reference.Add(0);
                    for (var i = 0; i < bytes.Length; i++) reference[at + i] = bytes[i];
                    break;
                case 5:
                    var length = random.Next(reference.Count + 20);
                    file.SetLength(length);
                    if (length < reference.Count) reference.RemoveRange(length, reference.Count - length);
                    while (reference.Count < length) reference.Add(0);
                    break;
                case 6:
                    Gather(disk, nonces, where);
                    file.Dispose();
                    file = new EncryptedFolder(disk, TestKeys.Of(aes)).Open(Name, writable: true);
                    break;
                default:
                    var target = new byte[random.Next(5000)];
                    var from = random.Next(reference.Count + 10);
                    var count = file.Read(from, target);
                    Assert.Equal(Math.Clamp(reference.Count - from, 0, target.Length), count);
                    Assert.True(reference.Skip(from).Take(count).SequenceEqual(target.Take(count)), where);
                    break;
            }
            Assert.Equal(reference.Count, file.Length);
            if (reference.Count > 600_000) file.SetLength(0);
            if (reference.Count > 600_000) reference.Clear();
        }
        file.Dispose();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Power_cuts_keep_what_was_flushed_and_no_nonce_comes_twice(bool aes)
    {
        var seed = Seed.Next();
        var random = new Random(seed);
        var disk = new SimulatedDisk();
        var nonces = new Dictionary<string, string>();
        var flushed = new List<byte>();
        using (var created = new EncryptedFolder(disk, TestKeys.Of(aes)).Create(Name))
        {
            created.Write(0, "begin"u8);
            created.Sync();
            flushed.AddRange("begin"u8);
        }
        disk.Sync();
        for (var round = 0; round < 400; round++)
        {
            var where = $"seed {seed} round {round}";
            using (var file = new EncryptedFolder(disk, TestKeys.Of(aes)).Open(Name, writable: true))
            {
                // What is behind the flushed bytes may be there in part.
                var read = new byte[flushed.Count];
                Assert.True(file.Length >= flushed.Count, where);
                file.Read(0, read);
                Assert.True(flushed.SequenceEqual(read), where);
                file.SetLength(flushed.Count);
                for (var writes = random.Next(4); writes > 0; writes--)
                {
                    var bytes = new byte[random.Next(1, 2000)];
                    random.NextBytes(bytes);
                    file.Write(file.Length, bytes);
                }
                if (random.Next(2) == 0)
                {
                    file.Sync();
                    flushed = [.. Read(file)];
                }
                Gather(disk, nonces, where);
            }
            disk = disk.PowerCut(random);
            Gather(disk, nonces, where);
        }
    }

    [Fact]
    public void Nothing_that_was_written_is_readable_on_the_disk()
    {
        var disk = new SimulatedDisk();
        using (var file = new EncryptedFolder(disk, TestKeys.ChaCha).Create(Name))
        {
            file.Write(0, "the secret subject and the secret payload"u8);
            file.Write(4, "SECRET"u8);
        }

        var text = Encoding.Latin1.GetString(disk.Contents(Name));

        Assert.DoesNotContain("secret", text, StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public void Overwritten_bytes_are_wiped_in_their_old_place()
    {
        var disk = new SimulatedDisk();
        using var file = new EncryptedFolder(disk, TestKeys.ChaCha).Create(Name);
        file.Write(0, "first and second"u8);
        var before = disk.Contents(Name).AsSpan(FileHeader.Bytes + SegmentHeader.Bytes).ToArray();

        file.Write(0, "FIRST"u8);

        Assert.Equal("FIRST and second", Encoding.ASCII.GetString(Read(file)));
        Assert.Equal(new byte[before.Length], disk.Contents(Name).AsSpan(FileHeader.Bytes + SegmentHeader.Bytes, before.Length).ToArray());
        Assert.DoesNotContain(Convert.ToHexString(before[12..^16]), Convert.ToHexString(disk.Contents(Name)), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Any_flipped_bit_costs_the_segment_that_it_hits(bool aes)
    {
        const int Parts = 5;
        const int PartBytes = 40;
        for (var at = 0; at < FileHeader.Bytes + Parts * (PartBytes + SegmentHeader.Overhead); at++)
        {
            var disk = new SimulatedDisk();
            using (var file = new EncryptedFolder(disk, TestKeys.Of(aes)).Create(Name))
                for (var part = 0; part < Parts; part++) file.Write(part * PartBytes, Enumerable.Repeat((byte)(part + 1), PartBytes).ToArray());
            var bytes = disk.Contents(Name).ToArray();
            bytes[at] ^= (byte)(1 << (at % 8));
            disk.Replace(Name, bytes);

            using var found = new EncryptedFolder(disk, TestKeys.Of(aes)).Open(Name, writable: false);

            var read = Read(found);
            var hit = at < FileHeader.Bytes ? -1 : (at - FileHeader.Bytes) / (PartBytes + SegmentHeader.Overhead);
            Assert.Equal(Parts * PartBytes, read.Length);
            for (var part = 0; part < Parts; part++)
                Assert.All(read[(part * PartBytes)..((part + 1) * PartBytes)], value => Assert.Equal(part == hit ? 0 : part + 1, value));
        }
    }

    [Fact]
    public void File_that_is_cut_anywhere_keeps_the_whole_segments_before()
    {
        var disk = new SimulatedDisk();
        using (var file = new EncryptedFolder(disk, TestKeys.ChaCha).Create(Name))
            for (var part = 0; part < 3; part++) file.Write(part * 10, Enumerable.Repeat((byte)'x', 10).ToArray());
        var whole = disk.Contents(Name).ToArray();

        for (var length = 0; length <= whole.Length; length++)
        {
            disk.Replace(Name, whole[..length]);
            using var found = new EncryptedFolder(disk, TestKeys.ChaCha).Open(Name, writable: true);

            Assert.Equal(10 * Math.Max(0, (length - FileHeader.Bytes) / (10 + SegmentHeader.Overhead)), found.Length);
            found.Write(found.Length, "yy"u8);
            Assert.EndsWith("yy", Encoding.ASCII.GetString(Read(found)), StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Segments_of_another_file_or_place_are_not_taken()
    {
        var disk = new SimulatedDisk();
        var folder = new EncryptedFolder(disk, TestKeys.ChaCha);
        using (var one = folder.Create("one"))
        using (var two = folder.Create("two"))
        {
            for (var part = 0; part < 2; part++)
            {
                one.Write(part * 4, "aaaa"u8);
                two.Write(part * 4, "bbbb"u8);
            }
        }
        const int Segment = 4 + SegmentHeader.Overhead;
        var (mixed, swapped) = (disk.Contents("one").ToArray(), disk.Contents("one").ToArray());
        disk.Contents("two").AsSpan(FileHeader.Bytes, Segment).CopyTo(mixed.AsSpan(FileHeader.Bytes));
        swapped.AsSpan(FileHeader.Bytes + SegmentHeader.Bytes, Segment - SegmentHeader.Bytes).CopyTo(swapped.AsSpan(FileHeader.Bytes + Segment + SegmentHeader.Bytes));

        disk.Replace("one", mixed);
        using (var file = folder.Open("one", writable: false)) Assert.Equal("\0\0\0\0aaaa", Encoding.ASCII.GetString(Read(file)));
        disk.Replace("one", swapped);
        using (var file = folder.Open("one", writable: false)) Assert.Equal("aaaa\0\0\0\0", Encoding.ASCII.GetString(Read(file)));
    }

    [Fact]
    public void Wrong_key_is_an_error_and_changes_nothing()
    {
        var disk = new SimulatedDisk();
        using (var file = new EncryptedFolder(disk, TestKeys.ChaCha).Create(Name)) file.Write(0, "hello"u8);
        var before = disk.Contents(Name).ToArray();

        var error = Assert.Throws<StoreException>(() => new EncryptedFolder(disk, TestKeys.Other).Open(Name, writable: true));

        Assert.Equal("file was encrypted with another key", error.Message);
        Assert.Equal(before, disk.Contents(Name));
    }

    [Fact]
    public void Plain_file_is_not_believed()
    {
        var disk = new SimulatedDisk();
        using (var plain = disk.Create(Name)) plain.Write(0, Enumerable.Repeat((byte)'p', 3000).ToArray());

        using var file = new EncryptedFolder(disk, TestKeys.ChaCha).Open(Name, writable: true);

        Assert.DoesNotContain((byte)'p', Read(file));
    }

    private static byte[] Read(IStoreFile file)
    {
        var bytes = new byte[file.Length];
        Assert.Equal(bytes.Length, file.Read(0, bytes));
        return bytes;
    }

    // A nonce belongs to one plaintext for good, whatever was cut off or lost: the same nonce means the same segment, byte by byte.
    private static void Gather(SimulatedDisk disk, Dictionary<string, string> nonces, string where)
    {
        if (!disk.Has(Name)) return;
        var bytes = disk.Contents(Name);
        for (var at = FileHeader.Bytes; at + SegmentHeader.Overhead <= bytes.Length;)
        {
            if (!SegmentHeader.TryRead(bytes.AsSpan(at), out var header) || at + SegmentHeader.Overhead + header.Length > bytes.Length) return;
            var nonce = Convert.ToHexString(bytes.AsSpan(at + SegmentHeader.Bytes, AuthenticatedCipher.NonceBytes));
            var text = Convert.ToHexString(bytes.AsSpan(at + SegmentHeader.Bytes + AuthenticatedCipher.NonceBytes, header.Length + AuthenticatedCipher.TagBytes));
            var key = Convert.ToHexString(bytes.AsSpan(16, 28)) + nonce;
            // What was wiped, or not flushed, is no ciphertext.
            if (nonce.Trim('0').Length > 0 && nonces.TryGetValue(key, out var known)) Assert.True(known == text || text.EndsWith("00000000", StringComparison.Ordinal), where);
            else nonces[key] = text;
            at += SegmentHeader.Overhead + header.Length;
        }
    }
}
